"""The same parameters reach the right place in every layout in which students keep them."""

from __future__ import annotations

import numpy as np
import pytest

from grading.judging.weight_layouts import LayoutSearch, WeightsMismatch

WIDTH, HIDDEN, HEADS = 8, 12, 3
RANDOM = np.random.default_rng(1)
PARAMETERS = {
    f"{owner}/{kind}": RANDOM.standard_normal(
        HIDDEN if kind == "bias" else (HIDDEN if owner == "output" else WIDTH, HIDDEN)
    )
    for owner in ("query", "key", "value", "output")
    for kind in ("kernel", "bias")
}


def all_layouts(weights: list[tuple[str, np.ndarray]]) -> list[list[np.ndarray]]:
    layout_search = LayoutSearch()
    layouts = [layout_search.arrange(PARAMETERS, weights)]
    while layout_search.index + 1 < layout_search.count:
        layout_search.index += 1
        layouts.append(layout_search.arrange(PARAMETERS, weights))
    return layouts


def contains(layouts: list[list[np.ndarray]], wanted: list[np.ndarray]) -> bool:
    return any(all(map(np.array_equal, layout, wanted)) for layout in layouts)


@pytest.mark.parametrize("names", ["query key value output", "q k v o", "wq wk wv wo", "q_proj k_proj v_proj out_proj"])
def test_names_decide_whatever_the_order(names: str) -> None:
    named = dict(zip(("query", "key", "value", "output"), names.split(), strict=True))
    order = ["value", "output", "key", "query"]
    weights = [
        (f"layer/{named[owner]}/{kind}", np.zeros_like(PARAMETERS[f"{owner}/{kind}"]))
        for owner in order
        for kind in ("kernel", "bias")
    ]
    wanted = [PARAMETERS[f"{owner}/{kind}"] for owner in order for kind in ("kernel", "bias")]
    layouts = all_layouts(weights)
    assert len(layouts) == 1
    assert contains(layouts, wanted)


def test_without_names_the_order_of_the_library_comes_first() -> None:
    weights = [(f"dense_{i}/x", np.zeros_like(value)) for i, value in enumerate(PARAMETERS.values())]
    layouts = all_layouts(weights)
    assert contains(layouts[:1], list(PARAMETERS.values()))
    swapped = [
        PARAMETERS[f"{owner}/{kind}"] for owner in ("key", "query", "value", "output") for kind in ("kernel", "bias")
    ]
    assert contains(layouts, swapped)


def test_kernels_per_head_are_reshaped() -> None:
    shapes = {"kernel": (WIDTH, HEADS, HIDDEN // HEADS), "bias": (HEADS, HIDDEN // HEADS)}
    weights = [
        (
            f"a/{name}",
            np.zeros(
                (HEADS, HIDDEN // HEADS, HIDDEN)
                if name == "output/kernel"
                else shapes[name[-6:]]
                if name.endswith("kernel")
                else HIDDEN
            ),
        )
        for name in PARAMETERS
    ]
    (layout,) = all_layouts(weights)
    np.testing.assert_array_equal(layout[0].reshape(WIDTH, HIDDEN), PARAMETERS["query/kernel"])


@pytest.mark.parametrize("heads", [1, HEADS])
def test_fused_projections_side_by_side_or_head_by_head(heads: int) -> None:
    def fuse(kind: str) -> np.ndarray:
        parts = [PARAMETERS[f"{owner}/{kind}"] for owner in ("query", "key", "value")]
        return np.concatenate([part.reshape(*part.shape[:-1], heads, -1) for part in parts], -1).reshape(
            *parts[0].shape[:-1], 3 * HIDDEN
        )

    wanted = [fuse("kernel"), fuse("bias"), PARAMETERS["output/kernel"], PARAMETERS["output/bias"]]
    assert contains(all_layouts([(f"w{i}", np.zeros_like(array)) for i, array in enumerate(wanted)]), wanted)


def test_fused_keys_and_values_and_stacks() -> None:
    pair = [
        np.concatenate([PARAMETERS[f"{owner}/{kind}"] for owner in ("key", "value")], -1) for kind in ("kernel", "bias")
    ]
    wanted = [
        PARAMETERS["query/kernel"],
        PARAMETERS["query/bias"],
        *pair,
        PARAMETERS["output/kernel"],
        PARAMETERS["output/bias"],
    ]
    assert contains(all_layouts([(f"w{i}", np.zeros_like(array)) for i, array in enumerate(wanted)]), wanted)
    stack = [
        np.stack([PARAMETERS[f"{owner}/{kind}"] for owner in ("query", "key", "value")]) for kind in ("kernel", "bias")
    ]
    wanted = [*stack, PARAMETERS["output/kernel"], PARAMETERS["output/bias"]]
    assert contains(all_layouts([(f"w{i}", np.zeros_like(array)) for i, array in enumerate(wanted)]), wanted)


def test_weights_that_hold_nothing_of_it_are_refused_in_words() -> None:
    with pytest.raises(WeightsMismatch, match=r"Given: \(8, 12\)\. Wanted: query/kernel \(8, 12\), query/bias"):
        LayoutSearch().arrange(PARAMETERS, [("kernel", np.zeros((WIDTH, HIDDEN)))])


def test_weights_of_a_part_that_came_ready_are_not_complained_of() -> None:
    part = {"encoder/query/kernel": np.ones((WIDTH, HIDDEN)), "encoder/query/bias": np.ones(HIDDEN)}
    parameters = {**part, "logits/kernel": np.ones((HIDDEN, 5)), "logits/bias": np.ones(5)}
    weights = [*part.items(), ("dense/kernel", np.zeros((HIDDEN, 7)))]
    with pytest.raises(
        WeightsMismatch, match=r"Given: \(12, 7\)\. Wanted: logits/kernel \(12, 5\), logits/bias \(5,\)"
    ):
        LayoutSearch().arrange(parameters, weights)


def test_settled_means_no_other_is_tried() -> None:
    weights = [(f"dense_{i}/x", np.zeros_like(value)) for i, value in enumerate(PARAMETERS.values())]
    layout_search = LayoutSearch()
    layout_search.arrange(PARAMETERS, weights)
    assert layout_search.count > 1
    layout_search.settle(2)
    layout_search.arrange(PARAMETERS, weights)
    assert layout_search.count == 1
    assert layout_search.index == 2
