"""Which calls of the code are wrong, and what do their arguments have in common that those of right calls have not?

What is said holds for all calls that were compared, so it is true whatever the reason is.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from grading.judging.behaviour.calls import Called, Made, WatchedSession, called_function, sizes_of
from grading.judging.behaviour.observation import Observation, is_float, parts
from grading.judging.comparison import compare
from grading.judging.exercise import Exercise
from grading.judging.probing import Outcome
from grading.messages import Message, all_of, any_of
from grading.sandbox.values import Object

WHICH_QUESTION = Message("What does the code do in this case that it does not do in the others?")
EXAMPLE_QUESTION = Message("Follow this call through the code, line by line. Where does it go wrong?")

_MOST_FACTS = 2
_MOST_SHOWN = 12  # numbers of an array that is written out
_LONGEST = 90  # characters of a value that is written out
_MOST_AXES = 4
# Fewer right calls than these leave too much to chance.
ENOUGH_TO_COMPARE = 2
_MANY_WRONG, _MANY_RIGHT = 2, 3


@dataclass(frozen=True)
class Judged:
    """A call of the student's code, and whether it was right."""

    call: Called
    is_right: bool
    given: Any = None
    wanted: Any = None

    @property
    def raised(self) -> bool:
        return self.call.error is not None


def judged_calls(watched: WatchedSession, now: Outcome, expected: Outcome, tolerance: float) -> list[Judged]:
    """The calls of one run of a probe of which the answers show whether they were right.

    Args:
        watched: what recorded the calls.
        now: what this run gave.
        expected: what the reference gives.
        tolerance: the check's.
    """
    if now.failure:
        return [Judged(call, False) for call in watched.called[-1:] if call.error is not None]
    pairs = list(parts(now.value, expected.value))
    by_call: dict[int, list[tuple[Any, Any]]] = {}
    for _, given, wanted in pairs:
        if call := watched.call_that_gave(given):
            by_call.setdefault(id(call), []).append((given, wanted))
    if not by_call and len(watched.called) == 1:
        by_call[id(watched.called[0])] = [(given, wanted) for _, given, wanted in pairs]
    found = []
    for call in watched.called:
        of_call = by_call.get(id(call), [])
        wrong = [pair for pair in of_call if compare(*pair, tolerance)]
        if of_call:
            found.append(Judged(call, not wrong, *(wrong or of_call)[0]))
    return found


def right_calls(watched: WatchedSession, now: Outcome) -> list[Judged]:
    """The calls in a check that passes of which all arrays that they returned are part of its answer."""
    shown = [id(watched.call_that_gave(part)) for _, part, _ in parts(now.value, now.value)]
    return [one for one in without_errors(watched) if shown.count(id(one.call)) >= _leaves(one.call.answer)]


def _leaves(answer: Any) -> int:
    """The number of arrays in an answer; 1 if it has none."""
    items = answer.values() if isinstance(answer, dict) else answer
    is_nested = isinstance(answer, dict | list | tuple) and any(isinstance(item, np.ndarray | dict) for item in items)
    return (
        sum(_leaves(item) for item in items if isinstance(item, np.ndarray | dict | list | tuple)) if is_nested else 1
    )


def without_errors(watched: WatchedSession) -> list[Judged]:
    """The calls that raised nothing, whatever they returned."""
    return [Judged(call, True) for call in watched.called if call.error is None]


def what_fails(exercise: Exercise, compared: Sequence[Judged], quiet: Sequence[Judged]) -> Observation | None:
    """What all wrong calls have in common, and no right one.

    Args:
        exercise: the exercise whose definition is called.
        compared: the calls whose answers were compared, and those that raised.
        quiet: all calls that raised nothing.
    """
    wrong = [one for one in compared if not one.is_right]
    raised = [one for one in wrong if one.raised]
    if raised and len(raised) < len(wrong):
        return None  # two mistakes, or one with two faces: what divides them from the rest is neither's
    right = quiet if raised else [one for one in compared if one.is_right]
    methods = {one.call.method for one in wrong}
    if len(methods) == 1:  # with calls of other methods there is nothing to compare
        right = [one for one in right if one.call.method in methods]
    if not wrong or len(right) < ENOUGH_TO_COMPARE:
        return None
    names = {name for one in (*wrong, *right) for name in arguments(exercise, one.call)}
    of_wrong, of_right = ([_facts(exercise, one.call, names) for one in calls] for calls in (wrong, right))
    telling = [
        fact for fact in of_wrong[0] if _is_in_all(fact, of_wrong) and not any(fact in facts for facts in of_right)
    ]
    # Where all wrong calls make a choice that too few kinds of right ones make, whatever else they share may be chance.
    choices = {fact for fact in of_wrong[0] if fact.is_choice and fact.is_asked_for and _is_in_all(fact, of_wrong)}
    making_it = {frozenset(facts) for facts in of_right if choices <= facts.keys()}
    if choices and len(making_it) < ENOUGH_TO_COMPARE:
        telling = [fact for fact in telling if fact.is_choice]
    if len(wrong) < _MANY_WRONG or len(right) < _MANY_RIGHT:
        telling = [fact for fact in telling if not fact.may_be_chance]
    if not telling:
        given = [_settings(exercise, one.call) | arguments(exercise, one.call) for one in (*wrong, *right)]
        needed = {
            fact
            for fact in of_wrong[0]
            if fact.is_asked_for
            and _is_needed(
                fact.about,
                given[: len(wrong)],
                [one for one, facts in zip(given[len(wrong) :], of_right, strict=True) if fact not in facts],
            )
        }
        return _together(of_wrong, of_right, needed, bool(raised)) or (
            None if raised else _among(of_wrong, of_right, needed)
        )
    telling = [fact for fact in telling if not fact.may_be_chance] or telling
    # What chooses how a call works is reason enough; of other things, each may be the reason.
    said = {fact.about: fact for fact in reversed(telling) if fact.is_choice == telling[0].is_choice}
    first = [said[about] for about in dict.fromkeys(fact.about for fact in telling) if about in said]
    # Of several facts, each may be the reason.
    return _only_if(any_of(fact.words for fact in first[: None if telling[0].is_choice else _MOST_FACTS]), bool(raised))


def _only_if(case: Message, raised: bool) -> Observation:
    sentence = (
        Message("An error is raised only if {case}; all other calls raise none.", case=case)
        if raised
        else Message("The result is wrong only if {case}; all other calls that were compared are right.", case=case)
    )
    return Observation(sentence, WHICH_QUESTION)


def _together(
    of_wrong: Sequence[Mapping[_Fact, None]],
    of_right: Sequence[Mapping[_Fact, None]],
    needed: Set[_Fact],
    raised: bool,
) -> Observation | None:
    """The two things that all wrong calls ask for and no right one does, if that holds of one pair alone.

    Args:
        needed: what a right call does not ask for, and is otherwise like a wrong one.
    """
    asked_for = [fact for fact in of_wrong[0] if fact.is_asked_for and _is_in_all(fact, of_wrong)]
    pairs = [
        (one, other)
        for one, other in itertools.combinations(asked_for, 2)
        if one.about != other.about and not any(one in facts and other in facts for facts in of_right)
    ]
    if len(pairs) != 1 or not needed >= set(pairs[0]):
        return None
    return _only_if(all_of(fact.words for fact in pairs[0]), raised)


def _is_needed(about: str, wrong: Sequence[Mapping[str, Any]], without: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a right call without a thing has the same other arguments as a wrong one: arrays of the same shape."""

    def others(given: Mapping[str, Any]) -> dict[str, Any]:
        shown = {name: value.shape if isinstance(value, np.ndarray) else value for name, value in given.items()}
        return {name: value for name, value in shown.items() if name != about and not isinstance(value, Object)}

    of_wrong = [others(given) for given in wrong]
    return any(others(given) in of_wrong for given in without)


def _among(
    of_wrong: Sequence[Mapping[_Fact, None]], of_right: Sequence[Mapping[_Fact, None]], needed: Set[_Fact]
) -> Observation | None:
    """A choice by a word that all wrong calls make and some right ones, too, while others make another.

    With something else that all wrong calls ask for, if it is needed beside the word.
    """
    common = [fact for fact in of_wrong[0] if _is_in_all(fact, of_wrong)]
    for fact in common:
        if not fact.is_word or sum(fact not in facts for facts in of_right) < ENOUGH_TO_COMPARE:
            continue
        beside = [other for other in common if other in needed and other.about != fact.about]
        sentence = Message(
            "The result is wrong only if {case}, and then not in every call; all others that were compared are right.",
            case=all_of([one.words for one in (fact, *beside[:_MOST_FACTS])]),
        )
        return Observation(sentence, WHICH_QUESTION)
    return None


def smallest_failing(exercise: Exercise, compared: Sequence[Judged]) -> Observation | None:
    """The wrong call with the fewest numbers in its arguments, with what it returned and should have."""
    wrong = sorted((one for one in compared if not one.is_right), key=lambda one: _size(exercise, one.call))
    for one in wrong:
        call = _call_shown(exercise, one.call)
        if one.call.error is not None:
            error = one.call.error.kind
            raises = Message("{call} raises {error}; it should return a result.", call=call, error=error)
            return Observation(raises, EXAMPLE_QUESTION, is_example=True)
        given, wanted = _both_shown(one.given, one.wanted)
        if given != wanted:
            returns = Message(
                "{call} returns {given}; it should return {wanted}.", call=call, given=given, wanted=wanted
            )
            return Observation(returns, EXAMPLE_QUESTION, is_example=True)
    return None


def in_the_check(title: str, message: str) -> Observation:
    """What a check itself says, where nothing else is known."""
    said = message.strip().rstrip(".")
    sentence = Message(
        "In the check “{title}”: {message}.",
        title=Message.of(title),
        message=Message.of(message)
        if message == said
        else Message("{sentence:unstopped}", sentence=Message.of(message)),
    )
    return Observation(sentence, "What does the docstring say about this?", is_example=True)


# Arguments ---------------------------------------------------------------------------------------------------


def arguments(exercise: Exercise, call: Called) -> dict[str, Any]:
    """The arguments of a call by name, those of a dictionary by their keys; what is None is left out."""
    named = _named(_function(exercise, call), call.operation["args"], call.operation["kwargs"])
    flat: dict[str, Any] = {}
    for name, value in named.items():
        flat |= value if _are_inputs(value) else {name: value}
    return {name: value for name, value in flat.items() if value is not None}


def _are_inputs(value: Any) -> bool:
    """Whether a value is a dictionary of inputs, such as ids and a mask, and no argument by itself."""
    return isinstance(value, dict) and any(isinstance(item, np.ndarray | Object) for item in value.values())


def _function(exercise: Exercise, call: Called) -> Any:
    """What is called: a function, a layer's `call` or method, or the class itself that makes a layer."""
    is_made = isinstance(exercise.reference, type) and call.operation["target"] == exercise.name
    return exercise.reference if is_made else called_function(exercise.reference, call.method)


def _settings(exercise: Exercise, call: Called) -> dict[str, Any]:
    """What the layer was made with, by name."""
    args = [call.settings[key] for key in sorted(key for key in call.settings if key.isdecimal())]
    kwargs = {name: value for name, value in call.settings.items() if not name.isdecimal()}
    return _named(exercise.reference, args, kwargs)


def _named(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    names = [name for name in _parameters(function) if name != "self"]
    return {**dict(zip(names, args, strict=False)), **kwargs}


def _parameters(function: Any) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def _defaults(function: Any) -> dict[str, Any]:
    """The arguments that choose how a call works, which a call leaves out that takes the default."""
    return {
        name: parameter.default
        for name, parameter in _parameters(function).items()
        if isinstance(parameter.default, bool | str | int | float)
    }


# Facts -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Fact:
    """Something that is true of a call.

    Attributes:
        about: what it is about; of several facts about the same, one is said.
        words: end the sentence "The result is wrong only if ...".
        may_be_chance: whether some of the calls may have it in common by chance.
        is_choice: whether it is a choice of how the code works, such as a flag.
        is_word: whether it is such a choice by a word that is no default, as of a method.
        is_asked_for: whether the call asks for it, beside what it gets by default.
    """

    about: str
    words: Message
    may_be_chance: bool = False
    is_choice: bool = False
    is_word: bool = False
    is_asked_for: bool = False


def _facts(exercise: Exercise, call: Called, names: set[str]) -> dict[_Fact, None]:
    """What is true of a call, the most telling first.

    Args:
        names: of all arguments that some call has.
    """
    given, settings = arguments(exercise, call), _settings(exercise, call)
    defaults = _defaults(_function(exercise, call))
    options = {**defaults, **given}
    of_layer = _defaults(exercise.reference) if isinstance(call.operation["target"], Object) else {}
    made_with = {**of_layer, **settings}
    facts: list[_Fact] = []
    for usual, chosen in ((of_layer, made_with), (defaults, options)):
        for name, value in chosen.items():
            facts += _of_option(name, value, usual.get(name))
    if call.method:
        facts.append(_Fact("method", Message("`{method}` is called", method=call.method)))
    for name in sorted(names):
        is_given = Message("`{name}` is given", name=name)
        left_out = Message("`{name}` is left out", name=name)
        is_asked_for = name not in defaults  # of others, the value says more
        facts.append(_Fact(name, is_given, is_asked_for=is_asked_for) if name in given else _Fact(name, left_out))
    for name, value in given.items():
        facts += _of_value(name, value)
    facts += _of_sizes(exercise, given, {**settings, **given})
    return dict.fromkeys(facts)


def _is_in_all(fact: _Fact, calls: Sequence[Mapping[_Fact, None]]) -> bool:
    return all(fact in facts for facts in calls)


def _of_option(name: str, value: Any, default: Any) -> Iterator[_Fact]:
    is_choice = default is not None
    if isinstance(value, bool) or (isinstance(value, str) and is_choice):
        is_other = value != default
        is_word = isinstance(value, str) and is_other
        yield _Fact(name, _is(name, repr(value)), is_choice=True, is_word=is_word, is_asked_for=is_other)
    elif isinstance(value, int | float):
        if value == 0:
            yield _Fact(name, _is(name, "0"), is_choice=is_choice)
        if isinstance(value, float) or isinstance(default, float):
            above, below = (Message("`{name}` is above 1", name=name), Message("`{name}` is below 1", name=name))
            yield _Fact(name, _is(name, "1") if value == 1 else above if value > 1 else below, is_choice=is_choice)
        if is_choice:
            usual, is_other = f"{default:g}", value != default
            words = _is_not(name, usual) if is_other else _is(name, usual)
            yield _Fact(name, words, is_choice=True, is_asked_for=is_other)


def _is(name: str, value: str) -> Message:
    return Message("`{name}` is {value}", name=name, value=value)


def _is_not(name: str, value: str) -> Message:
    return Message("`{name}` is not {value}", name=name, value=value)


def _of_sizes(exercise: Exercise, given: Mapping[str, Any], numbers: Mapping[str, Any]) -> Iterator[_Fact]:
    """Sizes of axes and lengths of texts that equal a number that was given, or each other, or 1."""
    whole = {name: value for name, value in numbers.items() if type(value) is int and value > 1}
    sizes = sizes_of(exercise, given)
    lengths = {name: len(value) for name, value in given.items() if isinstance(value, str | list)}
    for name, number in whole.items():
        for axis, size in sizes.items():
            # `length` and `max_length` belong together; that `batch` equals `num_heads` is chance.
            if name != axis and size == number and set(axis.split("_")) & set(name.split("_")):
                yield _Fact(axis, Message("`{axis}` equals `{other}`", axis=axis, other=name))
        for other, length in lengths.items():
            if length == number and not name.endswith("_id"):  # an id is no size
                yield _Fact(other, Message("the length of `{name}` equals `{other}`", name=other, other=name))
    for axis, other in itertools.combinations(sorted(axis for axis in sizes if "length" in axis), 2):
        yield _Fact(
            axis,
            Message("`{axis}` equals `{other}`", axis=axis, other=other)
            if sizes[axis] == sizes[other]
            else Message("`{axis}` differs from `{other}`", axis=axis, other=other),
            may_be_chance=True,
        )
    for axis in (axis for axis, size in sizes.items() if size <= 1):
        yield _Fact(axis, Message("`{name}` is {value}", name=axis, value=sizes[axis]))


def _of_value(name: str, value: Any) -> Iterator[_Fact]:
    if isinstance(value, np.ndarray):
        yield from _of_array(name, value)
    elif isinstance(value, str):
        yield from _of_text(name, value)
    elif isinstance(value, list | tuple):
        yield from _of_list(name, value)


def _of_array(name: str, value: np.ndarray) -> Iterator[_Fact]:
    for axes in range(_MOST_AXES + 1):
        has = Message("`{name}` has {count} axis", plural="`{name}` has {count} axes", name=name, count=axes)
        has_not = Message(
            "`{name}` has not {count} axis", plural="`{name}` has not {count} axes", name=name, count=axes
        )
        yield _Fact(name, has if value.ndim == axes else has_not)
    yield _Fact(name, Message("`{name}` is {value}", name=name, value=str(value.dtype)))
    if not value.size:
        yield _Fact(name, Message("`{name}` is empty", name=name))
        return
    if value.dtype.kind == "b":
        if value.all() or not value.any():
            everywhere = Message("`{name}` is {value} everywhere", name=name, value=str(bool(value.flat[0])))
            yield _Fact(name, everywhere, may_be_chance=True)
            return
        yield _Fact(name, Message("`{name}` is False somewhere", name=name), may_be_chance=True)
        if value.ndim and not value.any(axis=-1).all():
            yield _Fact(name, Message("a line of `{name}` is False throughout", name=name), may_be_chance=True)
        return
    if value.ndim > 1 and value.dtype.kind in "iu" and not value.any(axis=-1).all():
        yield _Fact(f"a line of {name}", Message("a line of `{name}` is 0 throughout", name=name), may_be_chance=True)
    if value.size > 1 and (value == value.flat[0]).all():
        yield _Fact(name, Message("all numbers in `{name}` are equal", name=name), may_be_chance=True)
    elif value.ndim == 1 and is_float(value):
        has = Message("some numbers in `{name}` are equal", name=name)
        has_not = Message("no two numbers in `{name}` are equal", name=name)
        yield _Fact(name, has if len(np.unique(value)) < value.size else has_not, may_be_chance=True)
    if value.dtype.kind in "iu":
        yield _Fact(
            name,
            Message("0 is among `{name}`", name=name)
            if (value == 0).any()
            else Message("0 is not among `{name}`", name=name),
            may_be_chance=True,
        )
    elif is_float(value):
        largest = float(np.abs(value.astype("float64")).max())
        if largest == 0 or largest > 50:
            yield _Fact(
                name,
                Message("the numbers in `{name}` are 0", name=name)
                if largest == 0
                else Message("the numbers in `{name}` are large", name=name),
                may_be_chance=True,
            )


def _of_text(name: str, value: str) -> Iterator[_Fact]:
    if not value.strip():
        yield _Fact(name, Message("`{name}` is blank", name=name) if value else Message("`{name}` is empty", name=name))
    if not value.isascii():
        yield _Fact(name, Message("`{name}` has characters beyond ASCII", name=name), may_be_chance=True)


def _of_list(name: str, value: Sequence[Any]) -> Iterator[_Fact]:
    if not value:
        yield _Fact(name, Message("`{name}` is empty", name=name))
    if len(value) == 1:
        yield _Fact(name, Message("`{name}` has one element", name=name))
    rows = [item for item in value if isinstance(item, list | tuple)]
    if any(not row for row in rows):
        yield _Fact(name, Message("one of `{name}` is empty", name=name))
    if any(row and all(isinstance(item, list | tuple) and not item for item in row) for row in rows):
        yield _Fact(f"the parts of {name}", Message("one of `{name}` has nothing but empty parts", name=name))
    plain = [item for item in value if isinstance(item, str | int)]
    if len(plain) > 1 and len(set(plain)) == 1:
        yield _Fact(name, Message("all of `{name}` are equal", name=name), may_be_chance=True)


# In words ----------------------------------------------------------------------------------------------------


def _size(exercise: Exercise, call: Called) -> int:
    return sum(_count(value) for value in arguments(exercise, call).values())


def _count(value: Any) -> int:
    if isinstance(value, np.ndarray):
        return int(value.size)
    if isinstance(value, list | tuple):
        return sum(map(_count, value)) + 1
    return len(value) if isinstance(value, str) else 1


def _call_shown(exercise: Exercise, call: Called) -> str:
    named = arguments(exercise, call)
    shown = ", ".join(f"{name}={_shown(value)}" for name, value in named.items())
    made_with = _settings(exercise, call)
    chosen = [f"{name}={value!r}" for name, value in made_with.items() if isinstance(value, bool | str)]
    name = f"{exercise.name}.{call.method}" if call.method else exercise.name
    code = f"{name}({shown})"
    if not chosen:
        return f"`{code}`"
    return Message("`{call}` made with {options}", call=code, options=", ".join(chosen))


def _shown(value: Any) -> str:
    """A value as it is written, or what it is if that is long."""
    if isinstance(value, np.ndarray):
        if value.size > _MOST_SHOWN:
            return Message("{dtype} of shape {shape}", dtype=str(value.dtype), shape=str(value.shape))
        written = str((value if value.dtype.kind in "biu" else _rounded(value)).tolist())
        if value.dtype.kind in "biu" or value.dtype in (np.float32, np.float64):
            return written
        return Message("{numbers} in {dtype}", numbers=written, dtype=str(value.dtype))
    if isinstance(value, Made):
        return f"<{value.kind}>"
    if isinstance(value, Object):
        return "..."
    if isinstance(value, float | np.floating):
        return f"{value:.5g}"
    written = repr(value)
    if len(written) <= _LONGEST and "Object(" not in written:
        return written
    if not hasattr(value, "__len__"):
        return "..."
    return Message("a {kind} of {size}", kind=type(value).__name__, size=len(value))


def _rounded(value: np.ndarray) -> np.ndarray:
    """To four digits, unless different numbers would look the same."""
    exact = np.array([float(str(number)) for number in value.ravel()]).reshape(value.shape)
    rounded = np.round(exact, 4)
    return rounded if len(np.unique(rounded)) == len(np.unique(exact)) else exact


def _both_shown(given: Any, wanted: Any) -> tuple[str, str]:
    """Two different values; of long ones, where they first differ."""
    shown, asked_for = _shown(given), _shown(wanted)
    if shown != asked_for:
        return shown, asked_for
    if isinstance(given, np.ndarray) and isinstance(wanted, np.ndarray) and given.shape == wanted.shape:
        one, other = given.astype("float64"), wanted.astype("float64")
        if not given.ndim:
            return f"{one:.8g}", f"{other:.8g}"
        place = np.unravel_index(int(np.argmax(np.abs(one - other))), one.shape)
        at = f"[{', '.join(map(str, place))}]"
        return (
            Message("{value} at {place}", value=_shown(given[place]), place=at),
            Message("{value} there", value=_shown(wanted[place])),
        )
    return shown, asked_for
