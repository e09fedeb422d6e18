"""Cuts the tags wherever a name may begin or end, and keeps the parts that are names."""


def entities_of(tags, strict=False):
    kinds = ["" if tag == "O" else tag[2:] for tag in tags]
    cuts = [
        place
        for place in range(len(tags) + 1)
        if place in (0, len(tags)) or tags[place][0] == "B" or kinds[place] != kinds[place - 1]
    ]
    return [
        (first, last, kinds[first])
        for first, last in zip(cuts, cuts[1:])
        if kinds[first] and (tags[first][0] == "B" or not strict)
    ]
