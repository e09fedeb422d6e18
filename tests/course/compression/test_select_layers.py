"""A student made of its teacher's blocks: the selected ones, as copies."""

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


def chosen(student: BertEncoder, source: BertEncoder) -> list[int]:
    """Return the number of the teacher's block that each block of the student equals."""

    def same(own: object, block: object) -> bool:
        pairs = zip(own.get_weights(), block.get_weights(), strict=True)  # type: ignore[attr-defined]
        return all(np.array_equal(left, right) for left, right in pairs)

    return [next(number for number, block in enumerate(source.blocks) if same(own, block)) for own in student.blocks]


@pytest.mark.parametrize(
    ("blocks", "layers", "expected"),
    [
        (12, 6, [0, 2, 4, 7, 9, 11]),  # DistilBERT's script, scripts/extract.py: [0, 2, 4, 7, 9, 11]
        (12, 3, [0, 6, 11]),  # transformers, make_student.py: LAYERS_TO_COPY[12][3]
        (12, 12, list(range(12))),
        (12, 1, [0]),
        (12, 2, [0, 11]),
        (5, 3, [0, 2, 4]),
        (4, 3, [0, 2, 3]),  # 1.5 is rounded up
        (6, 3, [0, 3, 5]),  # and so is 2.5
        (12, [0, 2, 4, 6, 8, 10], [0, 2, 4, 6, 8, 10]),  # every second one, as in the paper
        (4, (3, 1), [3, 1]),
    ],
)
def test_selects_evenly_spaced_or_given_blocks(blocks: int, layers: int | list[int], expected: list[int]) -> None:
    made = teacher(blocks)
    student = select_layers(made, layers)
    assert chosen(student, made) == expected
    assert student.num_layers == len(expected)


def test_with_all_blocks_outputs_equal_the_teachers() -> None:
    made = teacher(3)
    for name, array in outputs(select_layers(made, 3)).items():
        assert_close(array, outputs(made)[name], 1e-6)


def test_embeddings_and_pooler_are_the_teachers() -> None:
    made = teacher(4)
    student = select_layers(made, 2)
    for part in ("embedding", "pooler"):
        pairs = zip(getattr(student, part).get_weights(), getattr(made, part).get_weights(), strict=True)
        assert all(np.array_equal(left, right) for left, right in pairs)


def test_changes_of_the_student_leave_the_teacher_unchanged() -> None:
    made = teacher(3)
    student = select_layers(made, 2)
    before, own = outputs(made), outputs(student)
    student.set_weights([weight + 1 for weight in student.get_weights()])
    np.testing.assert_array_equal(outputs(made)["sequence_output"], before["sequence_output"])
    assert not np.allclose(outputs(student)["sequence_output"], own["sequence_output"])


def test_config_rebuilds_the_student() -> None:
    made = teacher(5)
    student = select_layers(made, 2)
    again = BertEncoder.from_config(student.get_config())
    again.build((None, None))
    again.set_weights(student.get_weights())
    assert_close(outputs(again)["pooled_output"], outputs(student)["pooled_output"], 1e-6)
    assert made.num_layers == 5
