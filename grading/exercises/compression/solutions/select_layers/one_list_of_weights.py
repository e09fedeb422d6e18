"""One list of all weights, cut at the blocks."""

import math


def select_layers(teacher, layers):
    n, total = layers, teacher.num_layers
    if not isinstance(layers, (list, tuple)):
        layers = [math.floor(i * (total - 1) / (n - 1) + 0.5) if n > 1 else 0 for i in range(n)]
    config = teacher.get_config()
    config["num_layers"] = len(layers)
    student = type(teacher).from_config(config)
    student.build((None, None))
    weights = teacher.embedding.get_weights()
    for i in layers:
        weights = weights + teacher.blocks[i].get_weights()
    ordered = {
        id(w): v
        for part, values in [
            (student.embedding, teacher.embedding.get_weights()),
            (student.pooler, teacher.pooler.get_weights()),
        ]
        for w, v in zip(part.weights, values)
    }
    for block, i in zip(student.blocks, layers):
        ordered.update({id(w): v for w, v in zip(block.weights, teacher.blocks[i].get_weights())})
    student.set_weights([ordered[id(w)] for w in student.weights])
    return student
