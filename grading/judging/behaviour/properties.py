"""Which property should the answer have: a dtype, a shape, finite numbers, a gradient, a normalization, its weights?"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from grading.judging.behaviour.observation import ENOUGH, Evidence, Observation, Pair, numbers_of
from grading.judging.proxies import BY_ARGUMENT, DTYPES_OF_WEIGHTS, LIST_OF_DTYPES, OF_WEIGHTS
from grading.messages import Message, all_of, enumerated

_MOST_NAMED = 3


def invalid_values(pair: Pair) -> Evidence:
    """What is wrong with an answer before its numbers are compared: no value, no gradient, another dtype, no number."""
    return dict.fromkeys(
        [*_no_gradient(pair), *_nothing(pair), *_other_dtype(pair), *_not_a_number(pair), *_infinite(pair)], ENOUGH
    )


def _no_gradient(pair: Pair) -> Iterator[Observation]:
    expected, given = numbers_of(pair.expected), numbers_of(pair.given)
    if expected is None or not expected.any() or (given is not None and given.any()):
        return
    question = Message("Which step on the way uses NumPy or whole numbers, or stops gradients?")
    if pair.name.startswith(BY_ARGUMENT):
        name = pair.name.removeprefix(BY_ARGUMENT)
        yield Observation(Message("No gradient reaches `{name}`: it is cut off on the way.", name=name), question)
    elif pair.name == OF_WEIGHTS:
        yield Observation("No gradient reaches the weights, so they learn nothing.", question)


def _nothing(pair: Pair) -> Iterator[Observation]:
    if pair.given is None and pair.expected is not None and "gradient" not in pair.name:
        yield Observation("Nothing is returned.", "Does every path through the code end in a `return`?")


def _other_dtype(pair: Pair) -> Iterator[Observation]:
    given, expected = pair.given, pair.expected
    question = Message("Which operation makes this dtype, and where should it be cast?")
    if pair.name == LIST_OF_DTYPES and isinstance(given, list | tuple) and len(given) == len(expected):
        for dtype, right in zip(given, expected, strict=True):
            if dtype != right:
                yield Observation(
                    Message("The dtype of the result is {dtype}; it should be {right}.", dtype=dtype, right=right),
                    question,
                )
                break
    if pair.name == DTYPES_OF_WEIGHTS and isinstance(given, list) and given != expected:
        dtype = next((dtype for dtype in given if dtype not in expected), "nothing")
        yield Observation(
            Message(
                "Weights are stored in {dtype}; they should be stored in {expected}, whatever dtype the layer "
                "computes in.",
                dtype=dtype,
                expected=all_of(expected),
            ),
            "Which dtype does each part get: the layer's policy, or what it computes in?",
        )
    if not (isinstance(given, np.ndarray) and isinstance(expected, np.ndarray)) or given.shape != expected.shape:
        return
    numbers = pair.numbers
    if given.dtype.kind != expected.dtype.kind and numbers and np.allclose(*numbers, rtol=pair.tolerance):
        yield Observation(
            Message(
                "The values are right, but their dtype is {given} instead of {expected}.",
                given=str(given.dtype),
                expected=str(expected.dtype),
            ),
            question,
        )


def _not_a_number(pair: Pair) -> Iterator[Observation]:
    given, expected = numbers_of(pair.given), numbers_of(pair.expected)
    if given is None or expected is None or given.shape != expected.shape or not np.isfinite(expected).all():
        return
    missing = np.isnan(given)
    if not missing.any():
        return
    for name, value in pair.inputs.items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "b" and _is_where_nothing_is_allowed(missing, value):
            yield Observation(
                Message("The result has NaN in the lines in which `{name}` is False throughout.", name=name),
                "What does a softmax, or a mean, make of nothing?",
            )
            return
    yield Observation(
        "The result has NaN where numbers are expected.",
        "Which step gives no number: 0 divided by 0, the root or the logarithm of a negative number, infinity minus "
        "infinity?",
    )


def _infinite(pair: Pair) -> Iterator[Observation]:
    given, expected = numbers_of(pair.given), numbers_of(pair.expected)
    if given is None or expected is None or not np.isfinite(expected).all():
        return
    if np.isinf(given).any() and not np.isnan(given).any():
        yield Observation(
            "The result has infinity where finite numbers are expected.",
            "Which step gives infinity: the logarithm of 0, a division by 0, the exponential of a large number?",
        )


def _is_where_nothing_is_allowed(missing: np.ndarray, mask: np.ndarray) -> bool:
    """Whether numbers are missing exactly in the lines in which the mask, broadcast to them, allows nothing."""
    nothing = ~mask.any(axis=-1)
    try:
        return bool(
            nothing.any() and np.array_equal(missing.any(axis=-1), np.broadcast_to(nothing, missing.shape[:-1]))
        )
    except ValueError:
        return False


def shape_differences(pair: Pair) -> Evidence:
    """How a wrong array is related to the expected one of another shape."""
    numbers = pair.numbers
    if numbers is None or numbers[0].shape == numbers[1].shape or min(numbers[0].size, numbers[1].size) < 2:
        return {}
    return dict.fromkeys(_reshaped(pair, *numbers), numbers[1].size)


def _reshaped(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    if given.size == expected.size:
        yield from _rearranged(pair, given, expected)
    elif given.ndim == expected.ndim:
        yield from _longer_or_shorter(pair, given, expected)
    elif given.ndim < expected.ndim:
        yield from _reduced(pair, given, expected)


def _rearranged(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    if given.squeeze().shape == expected.squeeze().shape:
        if pair.agree(given.squeeze(), expected.squeeze()):
            yield Observation(
                Message(
                    "The numbers are right, but the shape is {given} instead of {expected}.",
                    given=str(given.shape),
                    expected=str(expected.shape),
                ),
                "Where does the axis of size 1 belong, or where has one been lost?",
            )
        return
    for axes in itertools.permutations(range(expected.ndim)):
        if expected.transpose(axes).shape == given.shape and pair.agree(given, expected.transpose(axes)):
            yield Observation(
                Message(
                    "The result is the expected one with its axes in another order: {given} instead of {expected}.",
                    given=str(given.shape),
                    expected=str(expected.shape),
                ),
                "Which axis should come first?",
            )
            return
    if pair.agree(given.ravel(), expected.ravel()):
        yield Observation(
            Message(
                "The numbers are right and in order, but the shape is {given} instead of {expected}.",
                given=str(given.shape),
                expected=str(expected.shape),
            ),
            "Which reshape is missing at the end?",
        )


def _longer_or_shorter(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    different = [axis for axis in range(expected.ndim) if given.shape[axis] != expected.shape[axis]]
    if len(different) > 1:
        yield from _corner(pair, given, expected)
        return
    axis = different[0]
    given, expected = np.moveaxis(given, axis, 0), np.moveaxis(expected, axis, 0)
    missing = len(expected) - len(given)
    longer, shorter = (expected, given) if missing > 0 else (given, expected)
    count = abs(missing)
    ends = [
        is_last
        for is_last, part in ((True, longer[: len(shorter)]), (False, longer[count:]))
        if pair.agree(part, shorter)
    ]
    along = axis if expected.ndim > 1 else None
    for is_last in ends:
        yield Observation(
            _missing(is_last, count, along) if missing > 0 else _extra(is_last, count, along),
            "Where does counting begin, and where does it end?",
        )


def _missing(is_last: bool, count: int, axis: int | None) -> Message:
    if axis is None and is_last:
        return Message(
            "The last one is missing; all others are right.",
            plural="The last {count} are missing; all others are right.",
            count=count,
        )
    if axis is None:
        return Message(
            "The first one is missing; all others are right.",
            plural="The first {count} are missing; all others are right.",
            count=count,
        )
    if is_last:
        return Message(
            "The last one along axis {axis} is missing; all others are right.",
            plural="The last {count} along axis {axis} are missing; all others are right.",
            count=count,
            axis=axis,
        )
    return Message(
        "The first one along axis {axis} is missing; all others are right.",
        plural="The first {count} along axis {axis} are missing; all others are right.",
        count=count,
        axis=axis,
    )


def _extra(is_last: bool, count: int, axis: int | None) -> Message:
    if axis is None and is_last:
        return Message(
            "The last one is extra; all others are right.",
            plural="The last {count} are extra; all others are right.",
            count=count,
        )
    if axis is None:
        return Message(
            "The first one is extra; all others are right.",
            plural="The first {count} are extra; all others are right.",
            count=count,
        )
    if is_last:
        return Message(
            "The last one along axis {axis} is extra; all others are right.",
            plural="The last {count} along axis {axis} are extra; all others are right.",
            count=count,
            axis=axis,
        )
    return Message(
        "The first one along axis {axis} is extra; all others are right.",
        plural="The first {count} along axis {axis} are extra; all others are right.",
        count=count,
        axis=axis,
    )


def _corner(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    """An array that ends too early or too late along several axes."""
    shared = tuple(slice(min(sizes)) for sizes in zip(given.shape, expected.shape, strict=True))
    if given[shared].size > 3 and pair.agree(given[shared], expected[shared]):
        yield Observation(
            Message(
                "The shape is {given} instead of {expected}; the part that both shapes have is right.",
                given=str(given.shape),
                expected=str(expected.shape),
            ),
            "What determines how large it becomes, and what should?",
        )


def _reduced(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    for axis in range(expected.ndim):
        reductions = (
            (Message("sum"), expected.sum(axis)),
            (Message("mean"), expected.mean(axis)),
            (Message("maximum"), expected.max(axis)),
        )
        for name, reduced in reductions:
            if reduced.shape == given.shape and pair.agree(given, reduced):
                yield Observation(
                    Message("The result is the {name} over axis {axis} of the expected one.", name=name, axis=axis),
                    "Which axis should stay, and which should go?",
                )
        if np.take(expected, 0, axis).shape == given.shape and pair.agree(given, np.take(expected, 0, axis)):
            yield Observation(
                Message("The result is only the first place along axis {axis} of the expected one.", axis=axis),
                "Which index takes only the first?",
            )


def normalization_differences(pair: Pair, parameters: Mapping[str, np.ndarray]) -> Evidence:
    """Which normalization of a layer the output has or lacks, judged by mean and variance without its γ and β."""
    numbers = pair.numbers
    if numbers is None or numbers[0].shape != numbers[1].shape or numbers[0].ndim < 2:
        return {}
    given, expected = numbers
    norms = [norm for norm in _norms(parameters) if len(norm[1]) == expected.shape[-1] > 2]
    right = {name for name, gamma, beta in norms if _is_normal(expected, gamma, beta).all()}
    actual = {name for name, gamma, beta in norms if _is_normal(given, gamma, beta).all()}
    centred = [name for name, *norm in norms if _is_centred(given, *norm).all() and _is_centred(expected, *norm).all()]
    if centred and bool(right) != bool(actual):
        observation = Observation(
            Message(
                "Without the γ and β of `{name}`, the features of a token have mean 0, as they should, but another "
                "variance than they should.",
                name=centred[0],
            ),
            "Which epsilon does this normalization get, and what happens to its output?",
        )
    elif right and not actual:
        if any(_is_normal(given, gamma, beta).any() for name, gamma, beta in norms if name in right):
            return {}  # some tokens are normalised, so something else is wrong
        observation = Observation(
            Message(
                "The output is not normalised by `{right}`: without its γ and β, the features of a token do not have "
                "mean 0 and variance 1.",
                right=min(right),
            ),
            "What comes last, the normalization or something else?",
        )
    elif right and not right & actual:
        observation = Observation(
            Message(
                "The output is normalised by `{actual}`; it should be by `{right}`.",
                actual=min(actual),
                right=min(right),
            ),
            "Which normalization belongs to which part?",
        )
    elif actual and not right:
        observation = Observation(
            Message(
                "The output is normalised by `{actual}`, and should not be: the normalization comes too late.",
                actual=min(actual),
            ),
            "What should be normalised, the input or the output?",
        )
    else:
        return {}
    return {observation: expected.size}


def _norms(parameters: Mapping[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    for path, gamma in parameters.items():
        name, _, last = path.rpartition("/")
        beta = parameters.get(f"{name}/beta")
        if last == "gamma" and beta is not None and (np.abs(gamma) > 1e-3).all():
            yield name, gamma.astype("float64"), beta.astype("float64")


def _is_normal(array: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """For each token, whether its features have mean 0 and variance 1 without γ and β."""
    return _is_centred(array, gamma, beta) & (np.abs(((array - beta) / gamma).var(axis=-1) - 1) < 0.05)


def _is_centred(array: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """For each token, whether its features have mean 0 without γ and β."""
    return np.abs(((array - beta) / gamma).mean(axis=-1)) < 1e-3


def weight_differences(parameters: Mapping[str, np.ndarray], weights: Sequence[tuple[str, np.ndarray]]) -> Evidence:
    """The shapes of which a layer has too few or too many weights.

    Args:
        parameters: the expected parameters, by the library's names.
        weights: the layer's weights, with their paths.
    """
    expected = Counter(array.shape for array in parameters.values())
    given = Counter(array.shape for _, array in weights)
    missing, extra = expected - given, given - expected
    if not parameters or not missing + extra:
        return {}
    if not missing:
        sentence = Message("The layer has weights that match no parameter: {shapes}.", shapes=_shapes_shown(extra))
        return {Observation(sentence, "Which layer, weight or bias is one too many?"): ENOUGH}
    names = ", ".join(f"`{name}`" for name in _latest(parameters, missing)[:_MOST_NAMED])
    values = {"count": sum(missing.values()), "shapes": _shapes_shown(missing), "names": names}
    if extra:
        sentence = Message(
            "{count} weight is missing: {shapes}, such as {names}; there are too many of {extra}.",
            plural="{count} weights are missing: {shapes}, such as {names}; there are too many of {extra}.",
            extra=str(next(iter(extra))),
            **values,
        )
    else:
        sentence = Message(
            "{count} weight is missing: {shapes}, such as {names}.",
            plural="{count} weights are missing: {shapes}, such as {names}.",
            **values,
        )
    question = Message("Is each part made, with the sizes that it was asked for, and is none of them used for another?")
    return {Observation(sentence, question): ENOUGH}


def _shapes_shown(shapes: Counter[tuple[int, ...]]) -> Message:
    return enumerated(
        Message("{number} of {shape}", number=number, shape=str(shape))
        for shape, number in list(shapes.items())[:_MOST_NAMED]
    )


def _latest(parameters: Mapping[str, np.ndarray], missing: Counter[tuple[int, ...]]) -> list[str]:
    """Names for the missing weights. Of several of a shape, mostly the later ones are not made."""
    left: Counter[tuple[int, ...]] = missing.copy()
    names: list[str] = []
    for name, array in reversed(list(parameters.items())):
        if left[array.shape] > 0:
            left[array.shape] -= 1
            names.append(name)
    return names[::-1]
