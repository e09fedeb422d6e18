"""A slash in front gives all paths the same form."""

LEFT_ALONE = ("/bias", "/gamma", "/beta")


def decays_weight(path: str) -> bool:
    if ("/" + path).endswith(LEFT_ALONE):
        return False
    return True
