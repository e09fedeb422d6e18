import re


def decays_weight(path):
    return not re.search(r"(^|/)(bias|beta|gamma)$", path)
