"""Looks at what a wrong solution does, where no known mistake explains all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from grading.judging.behaviour.answers import ORDINALS, Pair, parts
from grading.judging.behaviour.axes import argument_name, axes_returned, sizes_of
from grading.judging.behaviour.budget import (
    CALLS_TO_LOOK_AT,
    CALLS_TO_TRY,
    CALLS_UNDER_CONDITIONS,
    SECONDS,
    Budget,
    cost_of,
)
from grading.judging.behaviour.conditions import Conditional, right_under, under_conditions
from grading.judging.behaviour.dependence import Moves, moves
from grading.judging.behaviour.examples import examples
from grading.judging.behaviour.forms import forms
from grading.judging.behaviour.held import misfits
from grading.judging.behaviour.influence import influences
from grading.judging.behaviour.normalised import normalised
from grading.judging.behaviour.observation import ENOUGH, Observation, Seen, in_all
from grading.judging.behaviour.places import places
from grading.judging.behaviour.ranking import Kind, Look, Observed, ranked
from grading.judging.behaviour.relations import relations
from grading.judging.behaviour.scale import near
from grading.judging.behaviour.sessions import ChangedWeights, Watching, places_of
from grading.judging.behaviour.shapes import shapes
from grading.judging.behaviour.texts import texts
from grading.judging.behaviour.what_if import possibilities
from grading.judging.exercise import Check, Exercise
from grading.judging.probing import WEIGHTS, Outcome, problem, run_probe
from grading.judging.proxies import OF_WEIGHTS, Session
from grading.judging.weight_layouts import LayoutSearch
from grading.sandbox.values import Object

# In how many checks inputs are changed one by one.
_MOST_LOOKED_INTO = 2
_SEVERAL = 4


class Reference(Protocol):
    """What is known of the reference."""

    secret: bytes

    def reference(self, exercise: Exercise, check: Check) -> Outcome: ...

    def moves(self, exercise: Exercise, check: Check) -> Moves: ...

    def conditional(self, exercise: Exercise, check: Check) -> Conditional: ...


def observe(
    exercise: Exercise,
    failed: Sequence[Check],
    outcomes: Mapping[str, Outcome],
    session: Session,
    expectations: Reference,
    search: LayoutSearch,
) -> list[Observed]:
    """What the student's code does, that which explains most first.

    Args:
        exercise: what it is to be.
        failed: the checks that it fails.
        outcomes: what it gave in these.
        session: where it is.
        expectations: what is known of the reference, on the same inputs.
        search: the layout of its weights.
    """
    looked_at = Budget(CALLS_TO_LOOK_AT, SECONDS)
    looks: list[Look] = []
    comparable = [check for check in failed if check.judge is None and not outcomes[check.key].ended_badly]
    for check in comparable:
        look = Look(check, outcomes[check.key], expectations.reference(exercise, check), Watching(session))
        looks.append(_look(exercise, look, expectations.secret, search))
        if not looked_at.pays(cost_of(look.watching, look.parameters)):
            break
    budget = Budget(CALLS_TO_TRY, SECONDS)
    quick = [look for look in looks if look.watching.is_quick and look.watching.calls]
    closer = [look for look in quick if not look.outcome.failure][:_MOST_LOOKED_INTO]
    for look in closer[:1]:
        _look_into(exercise, look, session, expectations, search, budget)
    _try_others(exercise, quick, session, expectations.secret, search, budget)
    for look in closer[1:]:
        _look_into(exercise, look, session, expectations, search, budget)
    for look in closer:
        _put_under_conditions(exercise, look, session, expectations, search)
    looked_into = {kind: {look.check.key for look in looks} for kind in Kind}
    looked_into[Kind.EXCHANGE] = {look.check.key for look in quick}
    looked_into[Kind.DEPENDENCE] = {look.check.key for look in closer if look.is_looked_into}
    looked_into[Kind.CONDITION] = {look.check.key for look in closer if look.is_under_conditions}
    return ranked(looks, looked_into, {check.key for check in comparable})


def _look(exercise: Exercise, look: Look, secret: bytes, search: LayoutSearch) -> Look:
    """The probe once more, with an eye on what the code is called with; then given and wanted side by side."""
    weights = ChangedWeights(search)
    run_probe(exercise, look.check, look.watching, secret, weights)
    look.parameters = weights.parameters
    if look.outcome.failure:
        if look.outcome.failure.kind == WEIGHTS:
            look.seen[Kind.VALUES] = misfits(weights.parameters, weights.weights)
        return look
    inputs = _inputs(exercise, look.watching)
    sizes = sizes_of(exercise, inputs) | {
        argument_name(exercise, place): number for place, number in look.watching.numbers.items() if number > 1
    }
    every = [
        Pair(name, given, right, look.check.tolerance, sizes, inputs, _axes(exercise, name, right))
        for name, given, right in parts(look.outcome.value, look.wanted.value)
    ]
    pairs = [pair for pair in every if not pair.agree(pair.given, pair.wanted)]
    values = [_of_values(pair, look.parameters) for pair in pairs]
    look.seen[Kind.VALUES] = in_all(values)
    for pair, seen in zip(pairs, values, strict=True):
        if pair.name and len(pairs) > 1:
            # What holds of all parts is said once; what holds of one is said of it.
            look.seen_in_parts |= seen.keys()
            look.seen[Kind.PART].update({_of_part(pair.name, one): evidence for one, evidence in seen.items()})
    look.seen[Kind.PLACES] = _where(every, pairs) | _which(every, pairs)
    return look


def _axes(exercise: Exercise, name: str, wanted: Any) -> list[str]:
    place = ORDINALS.index(name) if name in ORDINALS else None
    return axes_returned(exercise, getattr(wanted, "ndim", 0), place)


def _inputs(exercise: Exercise, watching: Watching) -> dict[str, Any]:
    """What the code was called with, by name: in the call that was given most."""
    if not watching.calls:
        return {}
    operation = max(watching.calls, key=lambda call: len(list(places_of(call))))
    named = {argument_name(exercise, place): value for place, value in places_of(operation)}
    for index, value in enumerate(operation["args"]):
        if isinstance(value, Object) and value.id in watching.made:
            named[argument_name(exercise, str(index))] = watching.made[value.id]
    return named


def _where(every: Sequence[Pair], wrong: Sequence[Pair]) -> Seen:
    """Where answers are wrong: what holds of all of them, or of the first of which something can be said."""
    seen = [{**near(pair), **examples(pair), **places(pair)} for pair in wrong]
    if len(every) == 1 or (len(wrong) > 1 and in_all(seen)):
        return in_all(seen)
    first = next((number for number, one in enumerate(seen) if one), None)
    if first is None or not wrong[first].name:
        return in_all(seen)
    return {_of_part(wrong[first].name, one): evidence for one, evidence in seen[first].items()}


def _which(every: Sequence[Pair], wrong: Sequence[Pair]) -> Seen:
    """Which of several answers are wrong, where these are few."""
    names = list(dict.fromkeys(pair.name for pair in wrong))
    right = {pair.name for pair in every if pair not in wrong}
    if names == [OF_WEIGHTS] and right:
        return {_OTHER_LESSON: ENOUGH}
    if len(every) < _SEVERAL or len(wrong) > len(every) // 2 or not all(names) or right.intersection(names):
        return {}
    sentence = f"Of {len(every)} answers, only {' and '.join(names)} {'is' if len(names) == 1 else 'are'} wrong."
    return {Observation(sentence, "What is special about it?"): ENOUGH}


# All weights together have one number: how long their gradient is.
_OTHER_LESSON = Observation(
    "What comes back is right, and what the weights learn from it is not: to some of them another gradient comes.",
    "Is each weight used on a way that lets gradients through, and on no other?",
)


def _of_part(name: str, observation: Observation) -> Observation:
    """What holds of one part alone, such as the weights beside the output."""
    return Observation(f"{name[0].upper()}{name[1:]}: {observation.sentence}", observation.question)


def _of_values(pair: Pair, parameters: Mapping[str, np.ndarray]) -> Seen:
    return {**forms(pair), **relations(pair), **shapes(pair), **texts(pair), **normalised(pair, parameters)}


def _look_into(
    exercise: Exercise, look: Look, session: Session, expectations: Reference, search: LayoutSearch, budget: Budget
) -> None:
    """What the answer of one check depends on."""
    wanted = expectations.moves(exercise, look.check)
    given = moves(exercise, look.check, session, expectations.secret, search, changes=wanted, budget=budget)
    look.is_looked_into = bool(given)
    names = [name for name, _, _ in parts(look.wanted.value, look.wanted.value)]
    look.seen[Kind.DEPENDENCE] = influences(exercise, given, wanted, names, _inputs(exercise, look.watching))


def _put_under_conditions(
    exercise: Exercise, look: Look, session: Session, expectations: Reference, search: LayoutSearch
) -> None:
    """Under which conditions the answer of one check is right, where it is not right anyway."""
    if problem(look.check, look.outcome, look.wanted) is None:
        return
    wanted = expectations.conditional(exercise, look.check)
    budget = Budget(CALLS_UNDER_CONDITIONS, SECONDS)
    given = under_conditions(
        exercise, look.check, session, expectations.secret, search, conditions=wanted, budget=budget
    )
    look.is_under_conditions = bool(given)
    look.seen[Kind.CONDITION] = right_under(exercise, look.check, given, wanted, (look.outcome, look.wanted))


def _try_others(
    exercise: Exercise, quick: Sequence[Look], session: Session, secret: bytes, search: LayoutSearch, budget: Budget
) -> None:
    """For which other inputs the right comes back: tried in one check, and where that gives it, in the others."""
    if not quick:
        return
    by_cost = sorted(quick, key=lambda look: cost_of(look.watching, look.parameters))
    for possibility in possibilities(exercise, by_cost[0].watching, by_cost[0].parameters):
        for look in by_cost:
            if not budget.pays(cost_of(look.watching, look.parameters)):
                return
            then = possibility.run(exercise, look.check, session, secret, search)
            if then.ended_badly:
                return
            if then.failure or problem(look.check, then, look.wanted) is not None:
                break
            look.seen[Kind.EXCHANGE][possibility.observation] = ENOUGH
