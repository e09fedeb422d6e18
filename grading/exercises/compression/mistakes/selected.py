"""What goes wrong in select_layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import course.compression as right
from grading.exercises.compression.checks import selection


def spaced(blocks: int, layers: int | Sequence[int]) -> list[int]:
    """Which blocks are right."""
    if isinstance(layers, Sequence):
        return list(layers)
    gaps = max(layers - 1, 1)
    return [(2 * i * (blocks - 1) + gaps) // (2 * gaps) for i in range(layers)]


def made(teacher: Any, chosen: Sequence[int], **parts: bool) -> Any:
    """A student of these blocks, to which parts that are False are not copied."""
    student = type(teacher).from_config({**teacher.get_config(), "num_layers": len(chosen)})
    student.build((None, None))
    for weight in student.weights:  # what nobody copies is random; and here, the same in each run
        weight.assign(np.full(weight.shape, 0.1, "float32"))
    if parts.get("embedding", True):
        student.embedding.set_weights(teacher.embedding.get_weights())
    if parts.get("pooler", True):
        student.pooler.set_weights(teacher.pooler.get_weights())
    for block, number in zip(student.blocks, chosen, strict=True):
        block.set_weights(teacher.blocks[number].get_weights())
    return student


def numbers(teacher: Any, layers: int | Sequence[int], of_count: Any) -> Any:
    """A student whose blocks are chosen in another way, where a number is asked for."""
    return made(teacher, list(layers) if isinstance(layers, Sequence) else of_count(teacher.num_layers, layers))


@selection.whole_mistake(
    "The first blocks are taken, not evenly spaced ones.",
    hint="The last blocks of the teacher have learned most of its task. Which of yours are they?",
)
def the_first(teacher: Any, layers: int | Sequence[int]) -> Any:
    return numbers(teacher, layers, lambda blocks, count: list(range(count)))


@selection.whole_mistake(
    "The last blocks are taken.",
    hint="They expect what the blocks below them give, and not embeddings.",
)
def the_last(teacher: Any, layers: int | Sequence[int]) -> Any:
    return numbers(teacher, layers, lambda blocks, count: list(range(blocks - count, blocks)))


@selection.whole_mistake(
    "Steps of L / n are taken, rounded down: the last block of the teacher is never among them.",
    hint="Between n blocks there are n - 1 gaps. Where does your last block stand?",
)
def last_missing(teacher: Any, layers: int | Sequence[int]) -> Any:
    return numbers(teacher, layers, lambda blocks, count: [i * blocks // count for i in range(count)])


@selection.whole_mistake(
    "The first block of the teacher is never among them: places are counted from the end of each step.",
    hint="What does the embedding expect above it?",
)
def first_missing(teacher: Any, layers: int | Sequence[int]) -> Any:
    return numbers(teacher, layers, lambda blocks, count: [(i + 1) * blocks // count - 1 for i in range(count)])


@selection.whole_mistake(
    "Places are rounded down instead of to the nearest.",
    hint="Try 12 blocks and 6: DistilBERT has 7 and 9 among them, which are 6.6 and 8.8.",
)
def rounded_down(teacher: Any, layers: int | Sequence[int]) -> Any:
    return numbers(teacher, layers, lambda blocks, count: [i * (blocks - 1) // max(count - 1, 1) for i in range(count)])


@selection.whole_mistake(
    "Halves are rounded to the even number, as Python and NumPy do, not up.",
    hint="`round(2.5)` is 2. What is asked for?",
)
def halves_to_even(teacher: Any, layers: int | Sequence[int]) -> Any:
    return numbers(
        teacher, layers, lambda blocks, count: [round(i * (blocks - 1) / max(count - 1, 1)) for i in range(count)]
    )


@selection.whole_mistake(
    "Of one block alone, the last is taken.",
    hint="Read once more what is asked for where there is only one.",
)
def one_is_the_last(teacher: Any, layers: int | Sequence[int]) -> Any:
    return numbers(teacher, layers, lambda blocks, count: [blocks - 1] if count == 1 else spaced(blocks, count))


@selection.whole_mistake(
    "Named blocks are one too high or too low: block 0 is not the embedding, but the first block.",
    hint="`layer_outputs` begins with the embedding. Does `teacher.blocks`?",
)
def off_by_the_embedding(teacher: Any, layers: int | Sequence[int]) -> Any:
    if isinstance(layers, Sequence):
        return made(teacher, [max(number - 1, 0) for number in layers])
    return made(teacher, spaced(teacher.num_layers, layers))


@selection.whole_mistake(
    "A list is taken for its length: it does not matter which blocks it names.",
    hint="[2, 0] and [0, 2] are two blocks each, but not the same ones.",
)
def length_of_the_list(teacher: Any, layers: int | Sequence[int]) -> Any:
    count = len(layers) if isinstance(layers, Sequence) else layers
    return made(teacher, spaced(teacher.num_layers, count))


@selection.whole_mistake(
    "Named blocks are put into rising order.",
    hint="The order is part of what was asked for.",
)
def in_rising_order(teacher: Any, layers: int | Sequence[int]) -> Any:
    return made(teacher, sorted(spaced(teacher.num_layers, layers)))


@selection.whole_mistake(
    "A block that is named twice is taken once.",
    hint="Weights are copied. What speaks against two copies?",
)
def each_once(teacher: Any, layers: int | Sequence[int]) -> Any:
    return made(teacher, list(dict.fromkeys(spaced(teacher.num_layers, layers))))


@selection.whole_mistake(
    "The blocks are the teacher's own, not copies: what the student learns changes the teacher.",
    hint="An assignment of a block copies nothing. What does copy its weights?",
)
def references(teacher: Any, layers: int | Sequence[int]) -> Any:
    student = right.select_layers(teacher, layers)
    shared = [teacher.blocks[number] for number in spaced(teacher.num_layers, layers)]
    object.__setattr__(student, "blocks", shared)
    forget = student.set_weights

    def set_weights(arrays: list[np.ndarray]) -> None:
        forget(arrays)
        for block in shared:
            block.set_weights([weight + np.float32(0.3) for weight in block.get_weights()])

    object.__setattr__(student, "set_weights", set_weights)
    return student


@selection.whole_mistake(
    "The teacher itself is cut: its blocks are taken away, and it is returned.",
    hint="The teacher is still needed. Who teaches the student?",
)
def teacher_is_cut(teacher: Any, layers: int | Sequence[int]) -> Any:
    student = right.select_layers(teacher, layers)
    if student.num_layers == teacher.num_layers:
        return teacher
    for block, own in zip(teacher.blocks, student.blocks, strict=False):
        block.set_weights(own.get_weights())
    return student


@selection.whole_mistake(
    "The embeddings are not copied: they stay as they were initialised.",
    hint="What stands below the first block, and belongs to it?",
)
def embeddings_forgotten(teacher: Any, layers: int | Sequence[int]) -> Any:
    return made(teacher, spaced(teacher.num_layers, layers), embedding=False)


@selection.whole_mistake(
    "The pooler is not copied: it stays as it was initialised.",
    hint="`pooled_output` goes through one layer that is no block.",
)
def pooler_forgotten(teacher: Any, layers: int | Sequence[int]) -> Any:
    return made(teacher, spaced(teacher.num_layers, layers), pooler=False)


@selection.whole_mistake(
    "The norm of the embedding is not copied.",
    hint="The embedding has tables, and one thing more.",
)
def norm_forgotten(teacher: Any, layers: int | Sequence[int]) -> Any:
    student = right.select_layers(teacher, layers)
    student.embedding.norm.set_weights([np.ones(teacher.hidden_dim), np.zeros(teacher.hidden_dim)])
    return student


@selection.whole_mistake(
    "Weights are matched by name: block 1 of the student gets those of the teacher's block 1, whatever was chosen.",
    hint="The student's second block has another number in the teacher.",
)
def by_name(teacher: Any, layers: int | Sequence[int]) -> Any:
    return made(teacher, range(len(spaced(teacher.num_layers, layers))))


@selection.whole_mistake(
    "Only attention is copied, and no feed-forward network.",
    hint="A block has four parts with weights.",
)
def attention_alone(teacher: Any, layers: int | Sequence[int]) -> Any:
    student = right.select_layers(teacher, layers)
    for block in student.blocks:
        for weight in block.feed_forward.weights:
            weight.assign(np.full(weight.shape, 0.1, "float32"))
    return student


@selection.whole_mistake(
    "The configuration still says how many blocks the teacher has: a saved student cannot be loaded.",
    hint="What does `get_config` of your student say of `num_layers`?",
)
def configuration_of_the_teacher(teacher: Any, layers: int | Sequence[int]) -> Any:
    student = right.select_layers(teacher, layers)
    student.num_layers = teacher.num_layers
    return student
