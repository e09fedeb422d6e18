"""How do given and expected values relate: by a factor, a shift, a function, an argument too many or too few?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from grading.judging.behaviour.arrangement import order_differences
from grading.judging.behaviour.observation import ENOUGH, Evidence, Observation, Pair, axis_name, close, varies
from grading.messages import Message

_NEAR = 1 / 100  # of the largest number, and of the range of all
_NEARLY_EVERYWHERE = 0.9  # of all places
_NEAR_ONE = 1e-3  # nobody writes a factor that is so near 1
_LARGEST_DENOMINATOR, _LARGEST_DENOMINATOR_OF_ONE = 40, 12
_CONSTANTS = {"2": 2.0, "3": 3.0, "10": 10.0, "100": 100.0, "1000": 1000.0, "2π": 2 * math.pi, "log 2": math.log(2)}

# Functions that turn the expected result into the given one, or the given one into the expected.
_FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    Message("the exponential"): np.exp,
    Message("the logarithm"): np.log,
    Message("the square"): np.square,
    Message("the square root"): np.sqrt,
    Message("the reciprocal"): np.reciprocal,
    Message("the absolute value"): np.abs,
    Message("the hyperbolic tangent"): np.tanh,
    Message("the sigmoid"): lambda x: 1 / (1 + np.exp(-x)),
    Message("the positive part (relu)"): lambda x: np.maximum(x, 0),
}


def relations(pair: Pair) -> Evidence:
    """All relations between a wrong array and the expected one of the same shape.

    There are none if the two are almost equal: a multiple, a sum or a function of what is expected may be as close.
    """
    numbers = pair.numbers
    if numbers is None or numbers[0].shape != numbers[1].shape or close(pair, *numbers):
        return {}
    evidence: Evidence = {}
    for observation, support in _all(pair, *numbers):
        evidence.setdefault(observation, support)
    return evidence


def _all(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[tuple[Observation, int]]:
    different = int(np.unique(expected).size)
    if isinstance(pair.expected, np.ndarray) and pair.expected.dtype.kind == "b":
        yield from ((one, expected.size) for one in _inverted(given, expected))
        yield from ((order_difference, expected.size) for order_difference in order_differences(pair, given, expected))
        return
    # A single number always has some factor; that two have the same one says something.
    yield from ((factor, max(different, ENOUGH // 2)) for factor in _factors(pair, given, expected))
    yield from ((shift, different - 1) for shift in _shifts(pair, given, expected))
    yield from ((function, different) for function in _functions(pair, given, expected))
    yield from ((argument, different) for argument in _arguments(pair, given, expected))
    yield from ((one, given.size) for one in _constant(given, expected))
    yield from ((one, given.size) for one in _same_along_an_axis(pair, given, expected))
    yield from ((one, expected.size) for one in _nearly_zero(given, expected))
    if different > 2:
        yield from ((order_difference, expected.size) for order_difference in order_differences(pair, given, expected))


def _inverted(given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    if np.array_equal(given, 1 - expected):
        yield Observation("True and False are swapped everywhere.", "Which of the two does the docstring call True?")


def _factors(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    """One factor for all numbers."""
    size = float(np.vdot(expected, expected))
    if size == 0 or np.abs(expected).max() < 1e-6:
        return
    factor = float(np.vdot(expected, given)) / size
    if abs(factor) < 1e-9 or not close(pair, given, factor * expected):
        return
    if np.isclose(factor, -1, rtol=1e-5):
        yield Observation(
            "The result is the expected one with the opposite sign.", "Where is something subtracted or negated?"
        )
        return
    names = list(_names_of(factor, pair.sizes))
    # A single number is always another one times something, so only a simple fraction says more.
    simple = _LARGEST_DENOMINATOR if expected.size > 1 else _LARGEST_DENOMINATOR_OF_ONE
    fraction = Fraction(factor).limit_denominator(simple)
    is_simple = fraction and fraction != 1 and np.isclose(factor, float(fraction), rtol=1e-5)
    if not names and (is_simple or (expected.size > 1 and abs(factor - 1) > _NEAR_ONE)):
        decimal = f"{factor:.5g}"
        exact = f"{fraction} ({decimal})" if is_simple and Fraction(decimal) != fraction else decimal
        names = [Message("times {factor}", factor=exact)]
    for name in names:
        yield Observation(
            Message("The result is the expected one {name}, everywhere.", name=name),
            "Where does the code multiply, divide, sum or average, and by how much should it?",
        )


def _names_of(factor: float, sizes: dict[str, int]) -> Iterator[Message]:
    """A factor in words: a number, or the size of an axis, its root or its square."""
    # Constants first: if such a factor is a size, checks with other sizes will show it.
    for written, value in _CONSTANTS.items():
        if np.isclose(factor, value, rtol=1e-4):
            yield Message("times {factor}", factor=written)
        if np.isclose(factor, 1 / value, rtol=1e-4):
            yield Message("divided by {factor}", factor=written)
    for name, size in sizes.items():
        if size < 2:
            continue
        for written, value in ((f"{name}", size), (f"√{name}", math.sqrt(size)), (f"{name}²", size**2)):
            if np.isclose(factor, value, rtol=1e-4):
                yield Message("times {factor}", factor=written)
            if np.isclose(factor, 1 / value, rtol=1e-4):
                yield Message("divided by {factor}", factor=written)


def _shifts(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    """One number added to all numbers."""
    if expected.size < 2 or np.ptp(expected) < 1e-3:
        return
    shift = float(np.mean(given - expected))
    if abs(shift) > 1e-6 and close(pair, given, expected + shift):
        size = f"{abs(shift):.5g}"
        yield Observation(
            Message("The result is {shift} too large everywhere.", shift=size)
            if shift > 0
            else Message("The result is {shift} too small everywhere.", shift=size),
            "What is added to every number, or is missing from every number?",
        )


def _constant(given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    if given.size >= ENOUGH and not varies(given) and np.unique(expected).size > 2:
        yield Observation(
            Message("The result is {given} at every place.", given=_one_number(given)),
            "Which line makes every place the same?",
        )


def _one_number(given: np.ndarray) -> str:
    """The number that an array has at every place, if a reader knows it again, as 0, 0.5 or 100."""
    number = float(given.flat[0])
    if 0 < abs(number) < 1e-6:
        return Message("almost 0")
    return f"{number:g}" if number == round(number, 3) else Message("the same number")


def _same_along_an_axis(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    """All places along an axis are equal, and should not be."""
    if given.ndim < 2 or not varies(given):
        return
    for axis in range(given.ndim):
        first = np.take(given, [0], axis)
        is_same = given.shape[axis] > 2 and close(pair, given, np.broadcast_to(first, given.shape))
        if is_same and not close(pair, expected, np.broadcast_to(np.take(expected, [0], axis), expected.shape)):
            yield Observation(
                Message(
                    "Every place along {axis} has the same result; each should have its own.",
                    axis=axis_name(pair, expected, axis),
                ),
                "Which part of the input does the code use for all of them?",
            )


def _nearly_zero(given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    """Small numbers where the result should be exactly 0, such as where a mask forbids attention."""
    zero = expected == 0
    if zero.sum() >= 3 and not zero.all() and (given[zero] != 0).mean() > 0.9 and np.abs(given[zero]).max() < 0.02:
        yield Observation(
            "Where exactly 0 is expected, the result is a small number instead.",
            "What should make it exactly 0: a mask, a number far enough below 0, a count?",
        )


def _functions(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    """A well-known function of the one array is the other."""
    if expected.size < ENOUGH:
        return
    with np.errstate(all="ignore"):
        if varies(given):
            yield from _of_each_number(pair, given, expected)
            yield from _coarser(pair, given, expected)
        yield from _softmaxes(pair, given, expected)
        yield from _sums(pair, given, expected)


def _of_each_number(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    for name, function in _FUNCTIONS.items():
        if close(pair, given, function(expected)):
            yield Observation(
                Message("The result is {name} of the expected one.", name=name), "Which function is one too many?"
            )
        if close(pair, function(given), expected):
            yield Observation(
                Message("The expected result is {name} of the one returned.", name=name),
                "Which function is missing at the end?",
            )
    if close(pair, given, 1 - expected):
        yield Observation("The result is 1 minus the expected one.", "What is counted the other way round?")


def _softmaxes(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    for axis in range(expected.ndim):
        if expected.shape[axis] < 2:
            continue
        name = axis_name(pair, expected, axis)
        probabilities = _softmax(expected, axis)
        for function, array in (
            (Message("softmax"), probabilities),
            (Message("logarithm of the softmax"), np.log(probabilities)),
        ):
            if close(pair, given, array):
                yield Observation(
                    Message(
                        "The result is the {function} over {name} of the expected one.", function=function, name=name
                    ),
                    "Where does the softmax belong?",
                )
        if close(pair, _softmax(given, axis), expected):
            yield Observation(
                Message("The expected result is the softmax over {name} of the one returned.", name=name),
                "Which step comes last?",
            )


def _softmax(x: np.ndarray, axis: int) -> np.ndarray:
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _coarser(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    """Rounded or clipped numbers."""
    for digits in (0, 1, 2, 3):
        if _is_rounded(given, expected, digits):
            rounded = Message(
                "The result is the expected one, rounded to {count} decimal place.",
                plural="The result is the expected one, rounded to {count} decimal places.",
                count=digits,
            )
            yield Observation(rounded, "Where is it rounded?")
            return
    if isinstance(pair.expected, np.ndarray) and pair.expected.dtype.kind in "iu":
        return  # nobody clips ids
    low, high = given.min(), given.max()
    inside = (expected > low) & (expected < high)
    if inside.sum() >= ENOUGH and varies(given[inside]) and close(pair, given, np.clip(expected, low, high)):
        yield Observation(
            Message(
                "The result is the expected one, clipped below {low} and above {high}.",
                low=f"{low:.5g}",
                high=f"{high:.5g}",
            ),
            "Which function clips numbers?",
        )


def _is_rounded(given: np.ndarray, expected: np.ndarray, digits: int) -> bool:
    """Whether all numbers have so few digits, and differ by no more than half of the last one."""
    steps = given * 10**digits
    # Confident probabilities such as 0.9999 or 1e-9 are not rounded.
    is_coarse = np.allclose(steps, np.round(steps), rtol=1e-6, atol=0.0)
    return bool(is_coarse and np.unique(expected).size > 2 and np.abs(given - expected).max() <= 0.501 * 10**-digits)


def _sums(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    """Shares that sum to 1 over another axis, or over none."""
    for axis in range(expected.ndim):
        if expected.shape[axis] < 2 or not np.allclose(expected.sum(axis=axis), 1, atol=1e-4):
            continue
        if np.allclose(given.sum(axis=axis), 1, atol=1e-4):
            continue
        yield _wrong_sum(pair, given, expected, axis)
        return


def _wrong_sum(pair: Pair, given: np.ndarray, expected: np.ndarray, axis: int) -> Observation:
    name = axis_name(pair, expected, axis)
    others = [other for other in range(expected.ndim) if other != axis and expected.shape[other] > 1]
    over = [other for other in others if np.allclose(given.sum(axis=other), 1, atol=1e-4)]
    if over:
        return Observation(
            Message(
                "The result sums to 1 over {axis}, and not over {name}.",
                axis=axis_name(pair, expected, over[0]),
                name=name,
            ),
            "Over which axis should it be normalised?",
        )
    if np.allclose(given.sum(), 1, atol=1e-4):
        return Observation(
            Message("The result sums to 1 as a whole, and not over {name}.", name=name),
            "Over which axis should it be normalised?",
        )
    sums = given.sum(axis=axis, keepdims=True)
    if (np.abs(sums) > 1e-6).all() and close(pair, given / sums, expected):
        return Observation(
            Message("The result should sum to 1 over {name}, and does not; divided by its sum it is right.", name=name),
            "What changes it after the normalisation, or is the normalisation missing?",
        )
    return Observation(
        Message("The result should sum to 1 over {name}, and does not.", name=name),
        "Which step turns numbers into shares?",
    )


def _arguments(pair: Pair, given: np.ndarray, expected: np.ndarray) -> Iterator[Observation]:
    """An argument that is returned as it is, or is added or multiplied once too often or too seldom."""
    if expected.size < ENOUGH or not expected.ndim:
        return
    if expected.ndim > 1 and expected.shape[-1] > 3 and _is_multiple_in_each_line(pair, given, expected):
        yield Observation(
            "Each line of the result is the expected line times a factor of its own.",
            "What is each line divided or multiplied by, and what is that computed from?",
        )
    for name, value in pair.inputs.items():
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "iuf" or value.ndim > expected.ndim:
            continue
        if value.ndim == 0 or value.shape != expected.shape[expected.ndim - value.ndim :] or not varies(value):
            continue
        broadcast = np.broadcast_to(value.astype("float64"), expected.shape)
        if observation := _one_argument(pair, name, broadcast, given, expected):
            yield observation


def _one_argument(
    pair: Pair, name: str, value: np.ndarray, given: np.ndarray, expected: np.ndarray
) -> Observation | None:
    if close(pair, given, value):
        return Observation(
            Message("The result is `{name}`, unchanged.", name=name), "Does the code return what it computes?"
        )
    difference = given - expected
    times = float(np.vdot(value, difference) / np.vdot(value, value))
    if abs(times) > 1e-3 and close(pair, given, expected + times * value):
        return _added(name, times)
    if value.shape[-1] > 3 and _is_multiple_in_each_line(pair, difference, value):
        return Observation(
            Message("Each line of the result is the expected line plus a multiple of `{name}`.", name=name),
            Message("What is multiplied by `{name}`, and what is subtracted from that first?", name=name),
        )
    if pair.inputs[name].ndim == 1 and _is_multiple_in_each_line(pair, given - value, expected - value):
        return Observation(
            Message(
                "Apart from `{name}`, each line of the result is the expected line times a factor of its own.",
                name=name,
            ),
            "What is each line divided by, and what is that computed from?",
        )
    if close(pair, given, expected * value):
        return Observation(
            Message("The result is the expected one times `{name}`.", name=name),
            Message("How often does the code multiply by `{name}`?", name=name),
        )
    if close(pair, given * value, expected):
        return Observation(
            Message("The result is the expected one divided by `{name}`.", name=name),
            Message("Where should the code multiply by `{name}`?", name=name),
        )
    return None


def _added(name: str, times: float) -> Observation:
    if np.isclose(times, -1, rtol=1e-3):
        return Observation(
            Message("`{name}` is missing from the sum that is returned.", name=name),
            Message("What should `{name}` be added to?", name=name),
        )
    if np.isclose(times, -2, rtol=1e-3):
        return Observation(
            Message("`{name}` is subtracted; it should be added.", name=name),
            Message("Which sign does `{name}` have?", name=name),
        )
    if np.isclose(times, 1, rtol=1e-3):
        return Observation(
            Message("The result is the expected one plus `{name}`.", name=name),
            Message("Should `{name}` be added here, or somewhere else?", name=name),
        )
    return Observation(
        Message("The result is the expected one plus {times} times `{name}`.", times=f"{times:.4g}", name=name),
        Message("How is `{name}` added?", name=name),
    )


def _is_multiple_in_each_line(pair: Pair, array: np.ndarray, value: np.ndarray) -> bool:
    """Whether each line of `array` is a multiple of the same line of `value`, with factors that differ."""
    size = np.sum(value * value, axis=-1, keepdims=True)
    if (size == 0).any():
        return False
    times = np.sum(array * value, axis=-1, keepdims=True) / size
    return varies(times) and np.abs(times).min() > 1e-6 and close(pair, array, times * value)


def near_misses(pair: Pair) -> Evidence:
    """A small error nearly everywhere, such as of a dtype of few digits or of an approximate formula."""
    numbers = pair.numbers
    if numbers is None or numbers[0].shape != numbers[1].shape or np.unique(numbers[1]).size < ENOUGH:
        return {}
    given, expected = numbers
    error = float(np.abs(given - expected).max())
    if error > _NEAR * float(np.abs(expected).max()) or error > _NEAR * float(np.ptp(expected)):
        return {}
    if np.mean(given != expected) < _NEARLY_EVERYWHERE:  # what is right at some places has a reason of its own
        return {}
    observation = Observation(
        "The result is nearly right: it is off by less than a hundredth of the largest number, at nearly every place.",
        "Is something approximated, clipped or rounded, computed in a dtype of few digits, or is a constant not exact?",
    )
    return {observation: expected.size}


def worked_example(pair: Pair) -> Evidence:
    """For a function of single numbers: a wrong one near 1, what the code returns for it, and what it should return."""
    numbers = pair.numbers
    arrays = [value for value in pair.inputs.values() if isinstance(value, np.ndarray) and value.ndim]
    if numbers is None or numbers[0].shape != numbers[1].shape or len(arrays) != 1:
        return {}
    given, expected = numbers
    value = arrays[0]
    if value.shape != expected.shape or value.dtype.kind != "f" or not _is_a_function(value, expected):
        return {}
    wrong = np.abs(given - expected) > 10 * pair.tolerance * (1 + np.abs(expected))
    if not wrong.any() or not _is_a_function(value, given):
        return {}
    place = np.argmin(np.where(wrong, np.abs(value - 1), np.inf))
    return {
        Observation(
            Message(
                "For {value} the result is {given}; it should be {expected}.",
                value=f"{value.flat[place]:.4g}",
                given=f"{given.flat[place]:.4g}",
                expected=f"{expected.flat[place]:.4g}",
            ),
            "Put this number into the equation by hand, factor by factor. Where do the two differ?",
            is_example=True,
        ): expected.size
    }


def _is_a_function(value: np.ndarray, result: np.ndarray) -> bool:
    """Whether neighbouring inputs have neighbouring results, as if each number were treated by itself."""
    order = np.argsort(value, axis=None)
    steps = np.abs(np.diff(result.ravel()[order]))
    gaps = np.diff(value.ravel()[order])
    return bool(value.size > 20 and (steps <= 5 * gaps + 1e-4).all())
