"""A student made of its teacher's blocks: which ones, and that they are copies."""

from __future__ import annotations

import numpy as np
import pytest
from keras import ops

from course.compression import select_layers
from course.encoder import BertEncoder
from tests.closeness import assert_close

SIZES = {"num_heads": 2, "hidden_dim": 6, "intermediate_dim": 10, "max_length": 9, "dropout": 0.0}
IDS = np.array([[4, 7, 1, 0, 0], [3, 2, 9, 8, 5]])


def teacher(blocks: int) -> BertEncoder:
    made = BertEncoder(11, blocks, **SIZES)
    made.build((None, None))
    random = np.random.default_rng(blocks)
    made.set_weights([random.normal(size=weight.shape).astype("float32") for weight in made.weights])
    return made


def outputs(encoder: BertEncoder) -> dict[str, np.ndarray]:
    return {name: ops.convert_to_numpy(array) for name, array in encoder(IDS).items()}


def chosen(student: BertEncoder, of: BertEncoder) -> list[int]:
    """Which of the teacher's blocks each of the student's is, by its weights."""

    def same(one: object, other: object) -> bool:
        pairs = zip(one.get_weights(), other.get_weights(), strict=True)  # type: ignore[attr-defined]
        return all(np.array_equal(left, right) for left, right in pairs)

    return [next(number for number, block in enumerate(of.blocks) if same(own, block)) for own in student.blocks]


@pytest.mark.parametrize(
    ("blocks", "layers", "wanted"),
    [
        (12, 6, [0, 2, 4, 7, 9, 11]),  # DistilBERT's script, scripts/extract.py: [0, 2, 4, 7, 9, 11]
        (12, 3, [0, 6, 11]),  # transformers, make_student.py: LAYERS_TO_COPY[12][3]
        (12, 12, list(range(12))),
        (12, 1, [0]),
        (12, 2, [0, 11]),
        (5, 3, [0, 2, 4]),
        (4, 3, [0, 2, 3]),  # 1.5 is rounded up
        (6, 3, [0, 3, 5]),  # and so is 2.5
        (12, [0, 2, 4, 6, 8, 10], [0, 2, 4, 6, 8, 10]),  # one of two, as in the paper
        (4, (3, 1), [3, 1]),
    ],
)
def test_which_blocks(blocks: int, layers: int | list[int], wanted: list[int]) -> None:
    made = teacher(blocks)
    student = select_layers(made, layers)
    assert chosen(student, made) == wanted
    assert student.num_layers == len(wanted)


def test_with_all_blocks_it_says_what_its_teacher_says() -> None:
    made = teacher(3)
    for name, array in outputs(select_layers(made, 3)).items():
        assert_close(array, outputs(made)[name], 1e-6)


def test_embeddings_and_pooler_are_the_teachers() -> None:
    made = teacher(4)
    student = select_layers(made, 2)
    for part in ("embedding", "pooler"):
        pairs = zip(getattr(student, part).get_weights(), getattr(made, part).get_weights(), strict=True)
        assert all(np.array_equal(one, other) for one, other in pairs)


def test_the_teacher_stays_as_it_is_and_so_does_the_student() -> None:
    made = teacher(3)
    student = select_layers(made, 2)
    before, own = outputs(made), outputs(student)
    student.set_weights([weight + 1 for weight in student.get_weights()])
    np.testing.assert_array_equal(outputs(made)["sequence_output"], before["sequence_output"])
    assert not np.allclose(outputs(student)["sequence_output"], own["sequence_output"])


def test_it_is_made_anew_from_its_configuration() -> None:
    made = teacher(5)
    student = select_layers(made, 2)
    again = BertEncoder.from_config(student.get_config())
    again.build((None, None))
    again.set_weights(student.get_weights())
    assert_close(outputs(again)["pooled_output"], outputs(student)["pooled_output"], 1e-6)
    assert made.num_layers == 5
