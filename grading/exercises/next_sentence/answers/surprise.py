def surprise(said, other):
    """-log of a softmax of two."""
    return ops.logaddexp(said, other) - said
