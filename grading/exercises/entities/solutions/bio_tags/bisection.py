"""A binary search finds both ends of a name's range of words."""

import bisect


def bio_tags(offsets, spans):
    starts = [int(start) for start, _ in offsets]
    tags = ["O"] * len(starts)
    for first, last, kind in spans:
        begin, end = bisect.bisect_left(starts, first), bisect.bisect_left(starts, last)
        tags[begin:end] = [f"B-{kind}"] * (end > begin) + [f"I-{kind}"] * (end - begin - 1)
    return tags
