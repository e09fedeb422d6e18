"""Raises an error whose text and name never end, and whose attributes lie."""


class Endless(Exception):
    def __str__(self):
        return "x" * (1 << 28)

    __repr__ = __str__
    __traceback__ = property(lambda self: self)


Endless.__name__ = "y" * (1 << 24)


def padding_mask(token_ids, padding_id=0):
    raise Endless
