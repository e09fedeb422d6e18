"""A slash in front makes all paths alike."""

LEFT_ALONE = ("/bias", "/gamma", "/beta")


def decays_weight(path: str) -> bool:
    if ("/" + path).endswith(LEFT_ALONE):
        return False
    return True
