"""A regular expression for the end of the path."""

import re


def decays_weight(path):
    return re.search(r"(^|/)(bias|gamma|beta)$", path) is None
