"""What goes wrong in select_layers."""

from __future__ import annotations

from grading.exercises.compression.checks import selection

PLACE = "(2 * i * (teacher.num_layers - 1) + gaps) // (2 * gaps)"
NAMED = "chosen = list(layers)"
EMBEDDING = "student.embedding.set_weights(teacher.embedding.get_weights())"
POOLER = "student.pooler.set_weights(teacher.pooler.get_weights())"
BLOCK = "block.set_weights(teacher.blocks[number].get_weights())"
RETURNED = "return student"


def forgotten(part: str) -> str:
    """What nobody copies is random; and here, the same in each run."""
    return f"{part}.set_weights([np.full(weight.shape, 0.1) for weight in {part}.weights])"


selection.mistake(
    "the_first",
    "The first blocks are taken, not evenly spaced ones.",
    hint="The last blocks of the teacher have learned most of its task. Which of yours are they?",
    change={PLACE: "i"},
)
selection.mistake(
    "the_last",
    "The last blocks are taken.",
    hint="They expect what the blocks below them give, and not embeddings.",
    change={PLACE: "teacher.num_layers - layers + i"},
)
selection.mistake(
    "last_missing",
    "Steps of L / n are taken, rounded down: the last block of the teacher is never among them.",
    hint="Between n blocks there are n - 1 gaps. Where does your last block stand?",
    change={PLACE: "i * teacher.num_layers // layers"},
)
selection.mistake(
    "first_missing",
    "The first block of the teacher is never among them: places are counted from the end of each step.",
    hint="What does the embedding expect above it?",
    change={PLACE: "(i + 1) * teacher.num_layers // layers - 1"},
)
selection.mistake(
    "rounded_down",
    "Places are rounded down instead of to the nearest.",
    hint="Try 12 blocks and 6: DistilBERT has 7 and 9 among them, which are 6.6 and 8.8.",
    change={PLACE: "i * (teacher.num_layers - 1) // gaps"},
)
selection.mistake(
    "halves_to_even",
    "Halves are rounded to the even number, as Python and NumPy do, not up.",
    hint="`round(2.5)` is 2. What is asked for?",
    change={PLACE: "round(i * (teacher.num_layers - 1) / gaps)"},
)
selection.mistake(
    "one_is_the_last",
    "Of one block alone, the last is taken.",
    hint="Read once more what is asked for where there is only one.",
    change={PLACE: f"teacher.num_layers - 1 if layers == 1 else {PLACE}"},
)
selection.mistake(
    "off_by_the_embedding",
    "Named blocks are one too high or too low: block 0 is not the embedding, but the first block.",
    hint="`layer_outputs` begins with the embedding. Does `teacher.blocks`?",
    change={NAMED: "chosen = [max(number - 1, 0) for number in layers]"},
)
selection.mistake(
    "length_of_the_list",
    "A list is taken for its length: it does not matter which blocks it names.",
    hint="[2, 0] and [0, 2] are two blocks each, but not the same ones.",
    change={NAMED: "return select_layers(teacher, len(layers))"},
)
selection.mistake(
    "in_rising_order",
    "Named blocks are put into rising order.",
    hint="The order is part of what was asked for.",
    change={NAMED: "chosen = sorted(layers)"},
)
selection.mistake(
    "each_once",
    "A block that is named twice is taken once.",
    hint="Weights are copied. What speaks against two copies?",
    change={NAMED: "chosen = list(dict.fromkeys(layers))"},
)
selection.mistake(
    "references",
    "The blocks are the teacher's own, not copies: what the student learns changes the teacher.",
    hint="An assignment of a block copies nothing. What does copy its weights?",
    change={
        # Keras lets nobody put a block into a model that is built.
        RETURNED: """
            student._tracker.unlock()
            student.blocks = [teacher.blocks[number] for number in chosen]
            return student
        """
    },
)
selection.mistake(
    "teacher_is_cut",
    "The teacher itself is cut: its blocks are taken away, and it is returned.",
    hint="The teacher is still needed. Who teaches the student?",
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
    "The embeddings are not copied: they stay as they were initialised.",
    hint="What stands below the first block, and belongs to it?",
    change={EMBEDDING: forgotten("student.embedding")},
)
selection.mistake(
    "pooler_forgotten",
    "The pooler is not copied: it stays as it was initialised.",
    hint="`pooled_output` goes through one layer that is no block.",
    change={POOLER: forgotten("student.pooler")},
)
selection.mistake(
    "norm_forgotten",
    "The norm of the embedding is not copied.",
    hint="The embedding has tables, and one thing more.",
    change={
        POOLER: f"""
            student.embedding.norm.set_weights([np.ones(teacher.hidden_dim), np.zeros(teacher.hidden_dim)])
            {POOLER}
        """
    },
)
selection.mistake(
    "by_name",
    "Weights are matched by name: block 1 of the student gets those of the teacher's block 1, whatever was chosen.",
    hint="The student's second block has another number in the teacher.",
    change={"zip(student.blocks, chosen, strict=True)": "zip(student.blocks, range(len(chosen)), strict=True)"},
)
selection.mistake(
    "attention_alone",
    "Only attention is copied, and no feed-forward network.",
    hint="A block has four parts with weights.",
    change={BLOCK: BLOCK + "\n" + forgotten("block.feed_forward")},
)
selection.mistake(
    "configuration_of_the_teacher",
    "The configuration still says how many blocks the teacher has: a saved student cannot be loaded.",
    hint="What does `get_config` of your student say of `num_layers`?",
    change={RETURNED: f"student.num_layers = teacher.num_layers\n{RETURNED}"},
)
