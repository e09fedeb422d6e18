"""Tests the last part of the path after splitting at slashes."""


def decays_weight(path):
    name = path.split("/")[-1]
    return not (name == "bias" or name == "gamma" or name == "beta")
