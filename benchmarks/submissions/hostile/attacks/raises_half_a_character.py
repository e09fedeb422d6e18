"""Raises half a character (a lone surrogate), which no file can hold."""


def padding_mask(token_ids, padding_id=0):
    raise ValueError("\ud800 \udfff")
