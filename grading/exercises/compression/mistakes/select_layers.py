"""What goes wrong in select_layers."""

from __future__ import annotations

from grading.exercises.compression.checks import selection

PLACE = "(2 * i * (teacher.num_layers - 1) + gaps) // (2 * gaps)"
NAMED = "chosen = list(layers)"
EMBEDDING = "student.embedding.set_weights(teacher.embedding.get_weights())"
POOLER = "student.pooler.set_weights(teacher.pooler.get_weights())"
BLOCK = "block.set_weights(teacher.blocks[number].get_weights())"
RETURNED = "return student"
CONFIGURATION = '"num_layers": len(chosen)}'


def forgotten(part: str) -> str:
    """Return code that fills a part that was not copied: random weights, but the same in each run."""
    return f"{part}.set_weights([np.full(weight.shape, 0.1) for weight in {part}.weights])"


selection.mistake(
    "the_first",
    "The first blocks are taken instead of evenly spaced ones.",
    hint="The teacher's last blocks learned most of its task. Which blocks of yours come from them?",
    change={PLACE: "i"},
)
selection.mistake(
    "the_last",
    "The last blocks are taken.",
    hint="They expect the output of the blocks below them, not embeddings.",
    change={PLACE: "teacher.num_layers - layers + i"},
)
selection.mistake(
    "last_missing",
    "The code takes steps of L / n, rounded down, and never reaches the teacher's last block.",
    hint="n blocks have n - 1 gaps between them. Where does your last block come from?",
    change={PLACE: "i * teacher.num_layers // layers"},
)
selection.mistake(
    "first_missing",
    "The teacher's first block is never taken: of every few blocks, the code takes the last.",
    hint="Which block of the teacher reads the embedding?",
    change={PLACE: "(i + 1) * teacher.num_layers // layers - 1"},
)
selection.mistake(
    "rounded_down",
    "Places are rounded down instead of to the nearest.",
    hint="Try 12 blocks and 6: DistilBERT takes 7 and 9, from 6.6 and 8.8.",
    change={PLACE: "i * (teacher.num_layers - 1) // gaps"},
)
selection.mistake(
    "halves_to_even",
    "Places halfway between two blocks are rounded to even, as in Python and NumPy, instead of up.",
    hint="`round(2.5)` is 2. What should it be?",
    change={PLACE: "round(i * (teacher.num_layers - 1) / gaps)"},
)
selection.mistake(
    "one_is_the_last",
    "For a single block, the last one is taken.",
    hint="What does the docstring say about a student of one block?",
    change={PLACE: f"teacher.num_layers - 1 if layers == 1 else {PLACE}"},
)
selection.mistake(
    "off_by_the_embedding",
    "Named blocks are off by one: block 0 is the first block, not the embedding.",
    hint="`layer_outputs` starts with the embedding. Does `teacher.blocks`?",
    change={NAMED: "chosen = [max(number - 1, 0) for number in layers]"},
)
selection.mistake(
    "length_of_the_list",
    "Only the length of the list is used, not the blocks it names.",
    hint="[2, 0] and [0, 1] both name two blocks. Are they the same?",
    change={NAMED: "return select_layers(teacher, len(layers))"},
)
selection.mistake(
    "in_rising_order",
    "Named blocks are sorted in ascending order.",
    hint="The caller chose the order, too.",
    change={NAMED: "chosen = sorted(layers)"},
)
selection.mistake(
    "each_once",
    "A block named twice is taken only once.",
    hint="Weights are copied. What speaks against two copies?",
    change={NAMED: "chosen = list(dict.fromkeys(layers))"},
)
selection.mistake(
    "references",
    "The student uses the teacher's own blocks instead of copies, so training the student changes the teacher.",
    hint="Assigning a block copies nothing. What copies its weights?",
    change={
        # Keras does not allow a new block in a built model.
        RETURNED: """
            student._tracker.unlock()
            student.blocks = [teacher.blocks[number] for number in chosen]
            return student
        """
    },
)
selection.mistake(
    "teacher_is_cut",
    "The teacher itself loses its blocks and is returned.",
    hint="The teacher must stay whole: it will train the student.",
    change={
        RETURNED: """
            for block, own in zip(teacher.blocks, student.blocks):
                block.set_weights(own.get_weights())
            return student
        """
    },
)
selection.mistake(
    "embeddings_forgotten",
    "The embeddings are not copied and keep their initial values.",
    hint="What does the first block read?",
    change={EMBEDDING: forgotten("student.embedding")},
)
selection.mistake(
    "pooler_forgotten",
    "The pooler is not copied and keeps its initial values.",
    hint="`pooled_output` goes through one layer that is not a block.",
    change={POOLER: forgotten("student.pooler")},
)
selection.mistake(
    "norm_forgotten",
    "The norm of the embedding is not copied.",
    hint="The embedding has tables, and one more layer.",
    change={
        POOLER: f"""
            student.embedding.norm.set_weights([np.ones(teacher.hidden_dim), np.zeros(teacher.hidden_dim)])
            {POOLER}
        """
    },
)
selection.mistake(
    "by_name",
    "Weights are matched by name, so block 1 of the student gets the teacher's block 1, whatever you chose.",
    hint="The student's second block has a different number in the teacher.",
    change={"zip(student.blocks, chosen, strict=True)": "zip(student.blocks, range(len(chosen)), strict=True)"},
)
selection.mistake(
    "attention_alone",
    "Only the attention weights are copied, not the feed-forward network.",
    hint="A block has four parts with weights.",
    change={BLOCK: BLOCK + "\n" + forgotten("block.feed_forward")},
)
selection.mistake(
    "configuration_of_the_teacher",
    "The configuration still has the teacher's number of blocks, so a saved student cannot be loaded.",
    hint="What is `num_layers` in your student's `get_config`?",
    change={RETURNED: f"student.num_layers = teacher.num_layers\n{RETURNED}"},
)
selection.mistake(
    "dropout_forgotten",
    "The student has the default dropout rates instead of its teacher's.",
    hint="Two arguments of the encoder have no effect outside training. Does your student get them?",
    change={CONFIGURATION: '"num_layers": len(chosen), "dropout": 0.1, "attention_dropout": None}'},
)
selection.mistake(
    "epsilon_forgotten",
    "The student's norms have the default epsilon instead of the teacher's, so the same weights give other outputs.",
    hint="Not all arguments of the encoder are sizes. What else is in its `get_config`?",
    change={CONFIGURATION: '"num_layers": len(chosen), "epsilon": 1e-12}'},
)
selection.mistake(
    "lists_alone",
    "Only a list names blocks. Any other sequence, such as a tuple, is taken for a number.",
    hint="What does the signature say that `layers` may be, besides a number?",
    change={"isinstance(layers, Sequence)": "isinstance(layers, list)"},
)
