"""The last of the parts between slashes."""


def decays_weight(path):
    name = path.split("/")[-1]
    return not (name == "bias" or name == "gamma" or name == "beta")
