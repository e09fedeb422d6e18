"""Makes a new encoder from its arguments, and assigns the weights one by one."""

from course.encoder import BertEncoder


def select_layers(teacher, layers):
    if isinstance(layers, int):
        if layers == 1:
            layers = [0]
        else:
            step = (teacher.num_layers - 1) / (layers - 1)
            layers = [int(i * step + 0.5 + 1e-9) for i in range(layers)]
    student = BertEncoder(
        teacher.vocabulary_size,
        len(layers),
        teacher.num_heads,
        teacher.hidden_dim,
        teacher.intermediate_dim,
        max_length=teacher.max_length,
        num_segments=teacher.num_segments,
        dropout=teacher.dropout,
        attention_dropout=teacher.attention_dropout,
        approximate_gelu=teacher.approximate_gelu,
        epsilon=teacher.epsilon,
        padding_id=teacher.padding_id,
        name="student",
    )
    student.build((None, None))
    pairs = [(student.embedding, teacher.embedding), (student.pooler, teacher.pooler)]
    pairs += [(block, teacher.blocks[i]) for block, i in zip(student.blocks, layers)]
    for new, old in pairs:
        for mine, its in zip(new.weights, old.weights):
            mine.assign(its)
    return student
