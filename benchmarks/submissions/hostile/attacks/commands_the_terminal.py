"""Raises what clears a terminal, changes its title, and turns text around."""


def padding_mask(token_ids, padding_id=0):
    raise ValueError("\x1b[2J\x1b]0;all right\x07\x1b[31mall right\x1b[0m\u202egnorw\r\b\x9b2J")
