"""Which observations can be made of a wrong solution, if no known mistake explains all of it?"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from grading.judging.behaviour.arrangement import text_differences, wrong_places
from grading.judging.behaviour.calls import (
    CALLS_TO_COMPARE,
    CALLS_TO_LOOK_AT,
    CALLS_TO_TRY,
    CALLS_UNDER_CONDITIONS,
    SECONDS,
    SECONDS_TO_COMPARE,
    UNNAMED,
    Budget,
    ChangedWeights,
    Operation,
    WatchedSession,
    argument_name,
    arrays_in,
    axes_returned,
    cost_of,
    sizes_of,
)
from grading.judging.behaviour.conditions import conditions_met, is_about_size, right_under, under_conditions
from grading.judging.behaviour.counterfactuals import Counterfactual, counterfactuals
from grading.judging.behaviour.dependence import (
    dependence_differences,
    is_about_reach,
    known_to_matter,
    moves,
    telling_changes,
)
from grading.judging.behaviour.failing_calls import (
    ENOUGH_TO_COMPARE,
    Judged,
    judged_calls,
    right_calls,
    smallest_failing,
    what_fails,
    without_errors,
)
from grading.judging.behaviour.observation import (
    ENOUGH,
    ORDINALS,
    Evidence,
    Kind,
    Look,
    Observation,
    Observations,
    Observed,
    Pair,
    common_evidence,
    parts,
    ranked,
)
from grading.judging.behaviour.properties import (
    invalid_values,
    normalization_differences,
    shape_differences,
    weight_differences,
)
from grading.judging.behaviour.relations import near_misses, relations, worked_example
from grading.judging.comparison import named
from grading.judging.exercise import Check, Exercise
from grading.judging.expectations import Reference
from grading.judging.probing import REPLAYS, Outcome, Own, problem, replay_secret, run_probe
from grading.judging.proxies import OF_WEIGHTS, THE_RESULT, Session
from grading.judging.weight_layouts import LayoutSearch
from grading.messages import Message, in_turn
from grading.sandbox.values import Object

# The number of checks that run with changed inputs and under conditions.
_MOST_LOOKED_INTO = 2
_SEVERAL = 4

# One number stands for all weights together: the length of their gradient.
_WRONG_GRADIENT = Observation(
    "The result is right, but the gradient by the weights is not: some of them get another one than they should.",
    "Is each weight used on a path that lets gradients through, and on no other path?",
)


class _Code(NamedTuple):
    """A student's definition, and what is known of the right one."""

    exercise: Exercise
    session: Session
    expectations: Reference
    search: LayoutSearch
    known: frozenset[str]


def observe(
    exercise: Exercise,
    failed: Sequence[Check],
    outcomes: Mapping[str, Outcome],
    session: Session,
    expectations: Reference,
    search: LayoutSearch,
    passed: Sequence[Check] = (),
) -> Observations:
    """What the student's code does; the observation that explains most comes first.

    What is observed may be so by chance, so it is only said if it is observed again on other inputs.

    Args:
        exercise: the exercise that the code is for.
        failed: the checks that it fails.
        outcomes: what it returned in these.
        session: where it is.
        expectations: what is known of the reference, on the same inputs.
        search: the layout of its weights.
        passed: the checks that it passes.
    """
    comparable = [check for check in failed if check.judge is None and not outcomes[check.key].ended_badly]
    known = known_to_matter(expectations.moves(exercise, check) for check in passed if check.judge is None)
    code = _Code(exercise, session, expectations, search, known)
    looks = _looks(code, comparable, outcomes)
    budget = Budget(CALLS_TO_TRY, SECONDS)
    quick = [look for look in looks if look.watched.is_quick and look.watched.calls]
    closer = [look for look in quick if not look.outcome.failure][:_MOST_LOOKED_INTO]
    for look in closer[:1]:
        _look_into(code, look, budget)
    tried = _try_counterfactuals(code, quick, budget)
    for look in closer[1:]:
        _look_into(code, look, budget)
    for look in closer:
        _put_under_conditions(code, look)
    looked_into = {kind: {look.check.key for look in looks} for kind in Kind}
    looked_into[Kind.EXCHANGE] = {look.check.key for look in quick}
    looked_into[Kind.REACH] = looked_into[Kind.DEPENDENCE] = {look.check.key for look in closer if look.is_looked_into}
    looked_into[Kind.CONDITION] = {look.check.key for look in closer if look.is_under_conditions}
    observed = ranked(looks, looked_into, {check.key for check in comparable})
    raising = [check for check in failed if check.judge is not None and _has_raised(outcomes[check.key])]
    of_calls = list(_of_calls(code, looks, raising, passed))
    if any(one.kind is Kind.CALLS for one in of_calls):  # which says more
        observed = [one for one in observed if not is_about_size(one.observation)]
    return Observations(observed, of_calls, _holding_again(code, quick, tried))


def _has_raised(outcome: Outcome) -> bool:
    return outcome.failure is not None and not outcome.ended_badly


def _of_calls(
    code: _Code, looks: Sequence[Look], raising: Sequence[Check], passed: Sequence[Check]
) -> Iterator[Observed]:
    """What the wrong calls have in common and no right one, and the smallest wrong call.

    What is said of calls holds for all that were compared, so it is not replayed; but a second draw of the inputs is
    compared as well.

    Args:
        code: whose calls they are.
        looks: the failed checks whose answers are compared.
        raising: those with a judge in which the code has raised.
        passed: the checks whose calls are right.
    """
    budget = Budget(CALLS_TO_COMPARE, SECONDS_TO_COMPARE)
    looks = [*looks, *(_watched(code, check) for check in raising[:_MOST_LOOKED_INTO])]
    again = [
        _look(code, look.check, replay=1)
        for look in looks
        if look.watched.is_quick
        and not look.now.failure
        and code.expectations.moves(code.exercise, look.check)
        and budget.pays(cost_of(look.watched, look.parameters))
    ]
    compared, quiet = list[Judged](), list[Judged]()
    for look in (*looks, *again):
        compared += judged_calls(look.watched, look.now, look.expected, look.check.tolerance)
        quiet += without_errors(look.watched)
    if not any(not one.is_right for one in compared):
        return
    # Those that take long come last, and only if there is nothing else to compare with.
    for check in sorted(passed, key=lambda check: check.slow):
        if not budget.pays(1) or (check.slow and sum(one.is_right for one in compared) >= ENOUGH_TO_COMPARE):
            break
        look = _watched(code, check)
        budget.pays(cost_of(look.watched, look.parameters))
        fine = without_errors(look.watched)
        quiet += fine
        compared += right_calls(look.watched, look.now) if check.judge is None else []
    explains = frozenset(look.check.key for look in looks)
    if which := what_fails(code.exercise, compared, quiet):
        yield Observed(which, explains, Kind.CALLS)
    if example := smallest_failing(code.exercise, compared):
        yield Observed(example, explains, Kind.EXAMPLE)


def _watched(code: _Code, check: Check) -> Look:
    """Run the probe of a check only to record its calls."""
    watched, weights = WatchedSession(code.session), ChangedWeights(code.search)
    now = run_probe(code.exercise, check, watched, code.expectations.secret, weights)
    return Look(check, now, now, now, watched, weights.parameters)


def _looks(code: _Code, checks: Sequence[Check], outcomes: Mapping[str, Outcome]) -> list[Look]:
    """A look at each check, as far as the budget goes."""
    budget = Budget(CALLS_TO_LOOK_AT, SECONDS)
    looks: list[Look] = []
    for check in checks:
        looks.append(_look(code, check, outcomes[check.key]))
        if not budget.pays(cost_of(looks[-1].watched, looks[-1].parameters)):
            break
    return looks


def _look(code: _Code, check: Check, outcome: Outcome | None = None, replay: int = 0) -> Look:
    """Run the probe to record its calls, and compare the given answer with the expected one.

    Args:
        code: whose answer it is.
        check: whose probe is run.
        outcome: the answer; by default, what the probe gives now.
        replay: which inputs the probe has (see `replay_secret`).
    """
    exercise, session, expectations, search, _ = code
    watched, weights = WatchedSession(session), ChangedWeights(search)
    now = run_probe(exercise, check, watched, replay_secret(expectations.secret, replay), weights)
    expected = expectations.reference(exercise, check, replay)
    look = Look(check, outcome or now, now, expected, watched, weights.parameters)
    if look.outcome.failure:
        if look.outcome.failure.kind is Own.WEIGHTS:
            look.seen[Kind.VALUES] = weight_differences(weights.parameters, weights.weights)
        return look
    all_pairs = _pairs(exercise, look)
    pairs = [pair for pair in all_pairs if not pair.agree(pair.given, pair.expected)]
    values = [_of_values(pair, look.parameters) for pair in pairs]
    # What holds of the one wrong part of several is said of that part.
    is_one_part = len(pairs) == 1 and len(all_pairs) > 1 and pairs[0].name not in ("", THE_RESULT)
    look.seen[Kind.VALUES] = {} if is_one_part else common_evidence(values)
    for pair, seen in zip(pairs, values, strict=True):
        if is_one_part or (pair.name and len(pairs) > 1):
            # What holds of all parts is said once; what holds of one part is said of that part.
            look.seen_in_parts |= seen.keys()
            look.seen[Kind.PART].update(_of_part(pair.name, seen))
    look.seen[Kind.PLACES] = _where(all_pairs, pairs) | _which(all_pairs, pairs)
    return look


def _pairs(exercise: Exercise, look: Look) -> list[Pair]:
    numbers = {argument_name(exercise, place): number for place, number in look.watched.numbers.items() if number > 1}
    answers = list(parts(look.outcome.value, look.expected.value))
    again = [part for _, part, _ in parts(look.now.value, look.expected.value)]
    pairs = []
    for (name, given, expected), part in itertools.zip_longest(answers, again[: len(answers)]):
        # Those of the call that gave this part, if that is known.
        call = look.watched.call_that_gave(part)
        inputs = _inputs(exercise, look.watched, call.operation if call else None)
        of_axes = sizes_of(exercise, inputs)
        axes = _axes(exercise, name, expected)
        pairs.append(Pair(name, given, expected, look.check.tolerance, of_axes | numbers, inputs, axes, of_axes))
    return pairs


def _axes(exercise: Exercise, name: str, expected: Any) -> list[str]:
    place = ORDINALS.index(name) if name in ORDINALS else None
    return axes_returned(exercise, getattr(expected, "ndim", 0), place)


def _inputs(exercise: Exercise, watched: WatchedSession, operation: Operation | None = None) -> dict[str, Any]:
    """The arguments of a call, by name; by default, of that with the most arrays."""
    if not watched.calls:
        return {}
    operation = operation or watched.fullest_call()
    inputs = {argument_name(exercise, place): value for place, value in arrays_in(operation)}
    for index, value in enumerate(operation["args"]):
        if isinstance(value, Object) and value.id in watched.made:
            inputs[argument_name(exercise, str(index))] = watched.made[value.id]
    return inputs


def _where(pairs: Sequence[Pair], wrong: Sequence[Pair]) -> Evidence:
    """Where answers are wrong: what holds of all of them, or else of the first, from which the others may follow."""
    evidence = [{**near_misses(pair), **worked_example(pair), **wrong_places(pair)} for pair in wrong]
    common = common_evidence(evidence)
    if len(pairs) == 1 or (len(wrong) > 1 and common):
        return common
    return _of_part(wrong[0].name, evidence[0]) if wrong and wrong[0].name else common


def _which(pairs: Sequence[Pair], wrong: Sequence[Pair]) -> Evidence:
    """Which of several answers are wrong, if few are."""
    names = list(dict.fromkeys(pair.name for pair in wrong))
    right = {pair.name for pair in pairs if pair not in wrong}
    if names == [OF_WEIGHTS] and right:
        return {_WRONG_GRADIENT: ENOUGH}
    if len(pairs) < _SEVERAL or len(wrong) > len(pairs) // 2 or not all(names) or right.intersection(names):
        return {}
    sentence = Message(
        "Of the {total} answers in one check, only this is wrong: {names}.",
        plural="Of the {total} answers in one check, only these are wrong: {names}.",
        total=len(pairs),
        names=in_turn(map(named, names)),
        count=len(names),
    )
    return {Observation(sentence, "What is different there?"): ENOUGH}


def _of_part(name: str, evidence: Evidence) -> Evidence:
    """The observations of one part, such as the weights beside the output, with the name of that part."""
    of_part: Evidence = {}
    for observation, support in evidence.items():
        said = Message("{part:capital}: {sentence:it}", part=named(name), sentence=Message.of(observation.sentence))
        of_part[Observation(said, observation.question)] = support
    return of_part


def _of_values(pair: Pair, parameters: Mapping[str, np.ndarray]) -> Evidence:
    return {
        **invalid_values(pair),
        **relations(pair),
        **shape_differences(pair),
        **text_differences(pair),
        **normalization_differences(pair, parameters),
    }


def _look_into(code: _Code, look: Look, budget: Budget, replay: int = 0, changes: Sequence[str] | None = None) -> None:
    """Observe what the answer of a check depends on.

    Args:
        code: whose answer it is.
        look: the check; what is observed is added to it.
        budget: the calls that may be made.
        replay: which inputs its probe has (see `replay_secret`).
        changes: the changes to make; by default, all that are known of the reference.
    """
    exercise, session, expectations, search, known = code
    expected = expectations.moves(exercise, look.check, replay)
    secret, changes = replay_secret(expectations.secret, replay), list(expected) if changes is None else changes
    given = moves(exercise, look.check, session, secret, search, changes=changes, budget=budget)
    look.is_looked_into = bool(given)
    look.changes = telling_changes(given, expected)
    called = {name: name for name, _, _ in parts(look.outcome.value, look.expected.value)}
    names = [called.get(name, name) for name, _, _ in parts(look.expected.value, look.expected.value)]
    inputs = _inputs(exercise, look.watched)
    seen = dependence_differences(exercise, given, expected, names, inputs, known)
    look.seen[Kind.REACH] = {one: support for one, support in seen.items() if is_about_reach(one)}
    look.seen[Kind.DEPENDENCE] = {one: support for one, support in seen.items() if not is_about_reach(one)}


def _put_under_conditions(code: _Code, look: Look, replay: int = 0, conditions: Sequence[str] | None = None) -> None:
    """Observe under which conditions the answer of a check is right, unless it is right anyway; see `_look_into`."""
    exercise, session, expectations, search, _ = code
    if problem(look.check, look.outcome, look.expected) is None:
        return
    expected = expectations.conditional(exercise, look.check, replay)
    secret, tried = replay_secret(expectations.secret, replay), list(expected) if conditions is None else conditions
    budget = Budget(CALLS_UNDER_CONDITIONS, SECONDS)
    given = under_conditions(exercise, look.check, session, secret, search, conditions=tried, budget=budget)
    whole = (look.outcome, look.expected)
    look.is_under_conditions = bool(given)
    look.conditions = conditions_met(look.check, given, expected, whole)
    look.seen[Kind.CONDITION] = right_under(exercise, look.check, given, expected, whole)


def _try_counterfactuals(code: _Code, quick: Sequence[Look], budget: Budget) -> dict[Observation, Counterfactual]:
    """Try each counterfactual in the cheapest check and, as long as its result is right, in the others."""
    exercise, session, expectations, search, _ = code
    tried: dict[Observation, Counterfactual] = {}
    if not quick:
        return tried
    by_cost = sorted(quick, key=lambda look: cost_of(look.watched, look.parameters))
    for counterfactual in counterfactuals(exercise, by_cost[0].watched, by_cost[0].parameters):
        for look in by_cost:
            if not budget.pays(cost_of(look.watched, look.parameters)):
                return tried
            outcome = counterfactual.run(exercise, look.check, session, expectations.secret, search)
            if outcome.ended_badly:
                return tried
            if outcome.failure or problem(look.check, outcome, look.expected) is not None:
                break
            look.seen[Kind.EXCHANGE][counterfactual.observation] = ENOUGH
            tried[counterfactual.observation] = counterfactual
    return tried


def _holding_again(
    code: _Code, quick: Sequence[Look], tried: Mapping[Observation, Counterfactual]
) -> Callable[[Observed], bool]:
    """A function that tells whether an observation is made again in every replay of the checks in which it was made.

    What takes long is not replayed, and neither are texts and lists, of which a release stores one draw alone.
    """
    exercise, session, expectations, search, _ = code
    replayable = [look for look in quick if expectations.moves(exercise, look.check)]
    again: dict[tuple[str, int, Kind | None], Look] = {}

    def holds_in(look: Look, one: Observed, replay: int) -> bool:
        if one.kind is Kind.EXCHANGE:
            secret = replay_secret(expectations.secret, replay)
            outcome = tried[one.observation].run(exercise, look.check, session, secret, search)
            expected = expectations.reference(exercise, look.check, replay)
            return not outcome.failure and problem(look.check, outcome, expected) is None
        kind = Kind.DEPENDENCE if one.kind is Kind.REACH else one.kind
        closer = kind if kind in (Kind.DEPENDENCE, Kind.CONDITION) else None
        key = look.check.key, replay, closer
        if key not in again:
            again[key] = _look_again(code, look, replay, closer)
        return _was_seen(one, again[key])

    def holds(one: Observed) -> bool:
        if f"`{UNNAMED}`" in one.observation.sentence:
            return False
        looks = [] if one.observation.is_example else [look for look in replayable if _was_seen(one, look)]
        return all(holds_in(look, one, replay) for replay in range(1, REPLAYS + 1) for look in looks)

    return holds


def _look_again(code: _Code, look: Look, replay: int, closer: Kind | None) -> Look:
    """Look at a check once more, on the inputs of a replay, and at what it depends on or is right under if asked."""
    again = _look(code, look.check, replay=replay)
    if again.outcome.failure:
        return again
    if closer is Kind.DEPENDENCE:
        _look_into(code, again, Budget(CALLS_TO_TRY, SECONDS), replay, look.changes)
    elif closer is Kind.CONDITION:
        _put_under_conditions(code, again, replay, look.conditions)
    return again


def _was_seen(one: Observed, look: Look) -> bool:
    return one.observation in look.seen[one.kind] or (one.kind is Kind.VALUES and one.observation in look.seen_in_parts)
