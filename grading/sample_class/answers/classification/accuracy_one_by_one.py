def accuracy(labels, logits):
    right = 0
    for label, row in zip(labels, logits):
        right += max(range(len(row)), key=row.__getitem__) == label
    return right / len(labels)
