"""The words of a name are a range, whose ends a binary search finds."""

import bisect


def bio_tags(offsets, spans):
    starts = [int(start) for start, _ in offsets]
    tags = ["O"] * len(starts)
    for first, last, kind in spans:
        begin, end = bisect.bisect_left(starts, first), bisect.bisect_left(starts, last)
        tags[begin:end] = [f"B-{kind}"] * (end > begin) + [f"I-{kind}"] * (end - begin - 1)
    return tags
