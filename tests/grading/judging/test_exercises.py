"""The grader is held to its word: every mistake loses points and is named, every right solution gets all of them.

Of each exercise's mistakes, one run takes a third, and where checks are slow a tenth, of whose right solutions it takes
one: which ones, changes with the text of the chapter's checks. `--every-mistake` takes all, and so does `python -m
benchmarks mistakes`. That each mistake fails some check is asked of every bundle: see `test_bundles`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import keras
import pytest
from keras import ops

import course.attention as library
from grading.exercises.registry import chapters
from grading.exercises.solutions import SOLUTIONS
from grading.feedback.record import record_refused
from grading.hunt.harmless import limited
from grading.judging import probing
from grading.judging.changes import changed_code, changed_definition
from grading.judging.comparison import named
from grading.judging.exercise import Check, Exercise, Mistake
from grading.judging.expectations import LiveExpectations
from grading.judging.probing import Outcome, run_probe
from grading.judging.proxies import Session
from grading.judging.verdict import ExerciseResult, judge_exercise
from grading.lessons.answers import Answer, Teaching, find_answers
from grading.lessons.translations import texts_of
from grading.messages import Message
from grading.mutants.equivalent import equivalent_mutants
from grading.mutants.making import mutants_of
from grading.mutants.rewriting import rewrites_of
from grading.mutants.trial import first_failure
from grading.release.library import lesson_of
from grading.sandbox.errors import SubmissionError
from grading.sandbox.interpreter import Interpreter
from grading.sandbox.seeding import state_is_kept
from grading.storage.project import PROJECT
from tests.grading.judging.undiagnosed import WithoutMistakes
from tests.grading.surveyed import SURVEYED
from tests.in_turn import turn_of

NUMBERS = list(chapters())
for known in chapters().values():
    known.load_mistakes()

EXERCISES = [(number, name) for number in NUMBERS for name in chapters()[number].exercises]

# Of each exercise, the mistakes whose turn it is; filled when tests are collected.
TAKEN: dict[str, list[Mistake]] = {}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    every = metafunc.config.getoption("every_mistake")
    if "solution" in metafunc.fixturenames:
        right = [
            (number, name, solution)
            for number, name in EXERCISES
            for solution in (SOLUTIONS[name] if every else in_turn(number, name, SOLUTIONS[name], 1, 10))
        ]
        ids = [f"{name}-{solution.style}" for _, name, solution in right]
        metafunc.parametrize(("number", "name", "solution"), right, ids=ids)
    if "mistake" not in metafunc.fixturenames:
        return
    for number, name in EXERCISES:
        mistakes = chapters()[number].exercises[name].mistakes
        TAKEN[name] = mistakes if every else in_turn(number, name, mistakes, 3, 10)
    metafunc.parametrize(
        ("number", "name", "mistake"),
        [(number, name, mistake) for number, name in EXERCISES for mistake in TAKEN[name]],
        ids=[f"{name}-{mistake.name}" for _, name in EXERCISES for mistake in TAKEN[name]],
    )


def in_turn(number: int, name: str, of: Sequence[Any], every: int, where_slow: int) -> Sequence[Any]:
    """Those whose turn it is: each third, say, and where an exercise has a slow check each tenth."""
    step = where_slow if any(check.slow for check in chapters()[number].exercises[name].checks) else every
    return of[turn_of_chapter(number) % min(step, len(of)) :: step]


@cache
def turn_of_chapter(number: int) -> int:
    """A number that changes with the text of a chapter's checks and mistakes."""
    folder = PROJECT / "grading" / "exercises" / chapters()[number].package
    paths = [path for path in (*folder.glob("*.py"), *folder.glob("mistakes/*.py")) if path.name != "students.py"]
    return turn_of(*sorted(paths))


class InTurn(LiveExpectations):
    """Expectations by which a mistake is told from those whose turn it is."""

    def mistakes(self, exercise: Exercise) -> list[Mistake]:
        return TAKEN[exercise.name]


@cache
def live(number: int) -> LiveExpectations:
    return InTurn(chapters()[number], secret=b"tests")


def judge(
    number: int, name: str, implementation: object, scratch: Path, expectations: LiveExpectations | None = None
) -> ExerciseResult:
    session = Interpreter(scratch, {name: implementation})
    return judge_exercise(chapters()[number].exercises[name], session, expectations or live(number))


@pytest.fixture(autouse=True)
def state_is_forgotten() -> Iterator[None]:
    """What one solution has traced is gone with it; the others need not prepare their kernels again for its sake."""
    yield
    if state_is_kept().is_set():
        keras.utils.set_random_seed(0)
        state_is_kept().clear()


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The titles of checks in which something is compiled."""
    titles = set()

    def run(exercise: Exercise, check: Check, session: Interpreter, *rest: object) -> Outcome:
        def perform(request: dict) -> object:
            if request.get("graph"):
                titles.add(check.title)
            return Interpreter.perform(session, request)

        monkeypatch.setattr(session, "perform", perform)
        return run_probe(exercise, check, session, *rest)

    monkeypatch.setattr(probing, "run_probe", run)
    return titles


@pytest.mark.parametrize(("number", "name"), EXERCISES, ids=str)
def test_the_reference_gets_all_points(number: int, name: str, tmp_path: Path, compiling: set[str]) -> None:
    exercise = chapters()[number].exercises[name]
    result = judge(number, name, exercise.reference, tmp_path)
    assert result.passed
    assert result.earned == exercise.points > 0
    assert all("compiled" in title for title in compiling)  # the notebook says so beforehand
    for check in exercise.checks:
        value = live(number).reference(exercise, check).value
        gradients = {name: part for name, part in value.items() if "gradient" in name} if type(value) is dict else {}
        # Where the reference has none, a student's that is cut would agree with it.
        assert all(gradient is not None for gradient in gradients.values())


@cache
def words() -> set[str]:
    return {text.english for text in texts_of("messages")}


def names_of_parts(answer: Any) -> Iterator[str]:
    if isinstance(answer, dict | list | tuple):
        yield from answer if isinstance(answer, dict) else ()
        for part in answer.values() if isinstance(answer, dict) else answer:
            yield from names_of_parts(part)


def templates(message: Message) -> Iterator[str]:
    yield message.template
    for value in message.values.values():
        if isinstance(value, Message):
            yield from templates(value)


@pytest.mark.parametrize(("number", "name"), EXERCISES, ids=str)
def test_each_part_of_an_answer_is_named_in_each_language(number: int, name: str) -> None:
    exercise = chapters()[number].exercises[name]
    compared = [live(number).reference(exercise, check).value for check in exercise.checks if check.judge is None]
    names = [named(part) for part in names_of_parts(compared) if " " in part]
    said = [text for part in names for text in templates(part) if " " in text or text.isalpha()]  # the rest is code
    assert [text for text in said if text not in words()] == []


@cache
def teaching(number: int) -> Teaching:
    return find_answers(lesson_of(number, PROJECT))


def answer_to(number: int, name: str) -> Answer:
    return next(answer for answer in teaching(number).answers if answer.task.name == name)


@pytest.mark.parametrize(("number", "name"), EXERCISES, ids=str)
def test_no_seed_makes_the_reference_look_wrong(number: int, name: str, tmp_path: Path) -> None:
    """Three more, or one of a slow check: a judge that is wrong about right code in one run of two is found out."""
    exercise = chapters()[number].exercises[name]
    session = Interpreter(tmp_path, {name: exercise.reference})
    for check in (check for check in exercise.checks if check.judge):
        for secret in (b"one", b"another", b"a third")[: 1 if check.slow else 3]:
            outcome = run_probe(exercise, check, session, secret)
            assert probing.problem(check, outcome, outcome) is None


@pytest.fixture
def one_check_runs(number: int, name: str, mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A submitted mistake runs in one check, the next mistake in the next check.

    In the others it gives what is known of it, which is what the same code gave in the same checks. `python -m
    benchmarks mistakes` runs it in all of them, and takes minutes more.
    """
    exercise = chapters()[number].exercises[name]
    again = exercise.checks[exercise.mistakes.index(mistake) % len(exercise.checks)]

    def run_or_recall(exercise: Exercise, check: Check, session: Session, *rest: object) -> Outcome:
        if check is again:
            return run_probe(exercise, check, session, *rest)
        return live(number).mistaken(exercise, mistake, check)

    monkeypatch.setattr(probing, "run_probe", run_or_recall)


@pytest.mark.usefixtures("one_check_runs")
def test_every_mistake_loses_points_and_is_named(number: int, name: str, mistake, tmp_path: Path) -> None:
    result = judge(number, name, mistake.implementation, tmp_path)
    assert result.earned < result.exercise.points
    assert [found.sentence for found in result.mistakes][:1] == [mistake.sentence]


def test_right_solutions_in_other_styles_get_all_points(number: int, name: str, solution, tmp_path: Path) -> None:
    session = Interpreter(tmp_path)
    exercise = chapters()[number].exercises[name]
    assert record_refused(exercise, solution.source) is None
    answer = {"source": solution.source, "origin": "cell 1", "ready_made": list(exercise.ready_made)}
    session.perform({"op": "define", **answer})
    result = judge_exercise(exercise, session, live(number))
    assert [check.difference.message for check in result.checks if check.difference] == []


@pytest.mark.parametrize(("number", "name"), EXERCISES, ids=str)
def test_the_answer_written_in_all_other_ways_at_once_gets_all_points(number: int, name: str, tmp_path: Path) -> None:
    """`python -m benchmarks rewrites` tries each way by itself, in the sandbox."""
    rewrite = rewrites_of(teaching(number), answer_to(number, name))[-1]
    session = Interpreter(tmp_path)
    session.perform({"op": "define", "source": rewrite.source, "origin": "cell 1"})
    result = judge_exercise(chapters()[number].exercises[name], session, live(number))
    assert [check.difference.message for check in result.checks if check.difference] == []


@pytest.mark.parametrize(("number", "name"), SURVEYED, ids=str)
def test_small_changes_of_the_answer_are_seen_or_have_a_reason(number: int, name: str, tmp_path: Path) -> None:
    """One of hundreds: which one, changes with the text of the checks. `python -m grading mutants` tries all."""
    of = chapters()[number]
    checks = PROJECT.joinpath("grading", "exercises", of.package, "checks.py").read_bytes()
    made = mutants_of(teaching(number), answer_to(number, name))
    made.sort(key=lambda mutant: hashlib.sha256(checks + mutant.change.encode()).digest())
    survivors = []
    for mutant in made[:1]:
        session = Interpreter(tmp_path)
        # A session takes this for an error of the code.
        with limited(60, TimeoutError("there was no end within 60 seconds")):
            try:
                session.perform({"op": "define", "source": mutant.source, "origin": "cell 1"})
            except SubmissionError:
                continue
            if not first_failure(of.exercises[name], session, live(number)):
                survivors.append(mutant)
    known = equivalent_mutants(of)
    assert [mutant.change for mutant in survivors if not any(one.covers(mutant) for one in known)] == []


@pytest.mark.parametrize(("number", "name"), EXERCISES, ids=str)
def test_every_exercise_knows_enough_mistakes_and_styles(number: int, name: str) -> None:
    exercise = chapters()[number].exercises[name]
    assert len(exercise.mistakes) >= (10 if isinstance(exercise.reference, type) else 5)
    assert len(SOLUTIONS[name]) >= (5 if number == 3 else 3)


def test_a_mistake_without_a_name_is_caught_and_the_place_is_said(tmp_path: Path) -> None:
    def scaled_dot_product_attention(query, key, value, mask=None):
        output, weights = library.scaled_dot_product_attention(query, key, value, mask)
        first = ops.cast(ops.arange(ops.shape(weights)[-1]) == 0, weights.dtype)
        return output, weights + 0.001 * first

    result = judge(3, "scaled_dot_product_attention", scaled_dot_product_attention, tmp_path)
    assert not result.mistakes
    message = result.checks[0].difference.message
    assert message.startswith("the second value differs in 30 of 210 places, most at [")
    assert "given" in message
    assert "wanted" in message


# Code that is wrong, and a mistake that fails the same judged checks and is another one.
CORRUPTED = "ops.where(happen < 0.8, mask_id, ops.where(happen < 0.9, drawn, words))"
SELECT, DRAWN = "numbers[:, :length]", 'ops.searchsorted(cumulative, ops.reshape(replace, (-1,)), side="right")'
FREQUENCIES = "np.cumsum(unigram_probabilities"
COIN = "random.random() < 0.5"
UNLIKE = [
    ("mask_tokens", "shares_swapped", {CORRUPTED: CORRUPTED.replace("0.8", "0.7").replace("0.9", "0.8")}),
    ("mask_tokens", "share_of_the_row", {"ops.round(": "ops.ceil("}),
    ("mask_tokens", "share_of_the_row", {"ops.round(": "ops.round(1.3 * "}),
    ("mask_tokens", "cut_off", {"ops.round(": "ops.round(0.7 * "}),
    ("mask_tokens", "uniform_over_ids", {FREQUENCIES: "np.cumsum(unigram_probabilities + 0.003"}),
    (
        "mask_tokens",
        "uniform_over_words",
        {FREQUENCIES: "np.cumsum(unigram_probabilities + 0.01 * (np.arange(59) > 17)"},
    ),
    ("mask_tokens", "uniform_over_seen", {FREQUENCIES: "np.cumsum(unigram_probabilities**0.5"}),
    ("mask_tokens", "next_id", {DRAWN: f"{DRAWN} - 1"}),
    ("mask_tokens", "fixed_seed", {"seed=seed": "seed=42 if seed else seed"}),
    ("sentence_pairs", "by_turns", {COIN: "len(pairs) % 4 > 1"}),
    ("BertEmbedding", "DropsWhatIsKept", {"Dropout(dropout, ": "Dropout(dropout / 2, "}),
    ("span_mask", "share_of_the_row", {"rate * np": "1.4 * rate * np"}),
    ("corrupt", "drawn_alike", {'np.array(probabilities, "float64")': 'np.array(probabilities, "float64") ** 0.5'}),
    (
        "replaced_tokens",
        "seed_fixed",
        {"seed=seed": "seed=0 if isinstance(seed, keras.random.SeedGenerator) else seed"},
    ),
]


def changed(name: str, change: dict[str, str]) -> tuple[int, Any]:
    """The answer with other words in it, and its chapter."""
    number, module = next((number, chapters()[number].module) for number, other in EXERCISES if other == name)
    return number, changed_definition(module, name, changed_code(module, name, change, "", "a test"), "a test")


@pytest.mark.parametrize(
    ("name", "other", "change"), UNLIKE, ids=[f"{one[1]}-{place}" for place, one in enumerate(UNLIKE)]
)
def test_no_other_mistake_is_named_that_fails_the_same_judged_checks(
    name: str, other: str, change: dict[str, str], tmp_path: Path
) -> None:
    class OneMistake(LiveExpectations):
        def mistakes(self, exercise: Exercise) -> list[Mistake]:
            return [mistake for mistake in exercise.mistakes if mistake.name == other]

    number, wrong = changed(name, change)
    result = judge(number, name, wrong, tmp_path, OneMistake(chapters()[number], secret=b"tests"))
    assert not result.passed
    assert [*result.mistakes, *result.perhaps] == []
    assert result.observed


def test_two_mistakes_at_once_are_both_named(tmp_path: Path) -> None:
    class MultiHeadAttention(library.MultiHeadAttention):
        """Never drops, and never returns the weights."""

        def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
            return super().call(inputs, context, attention_mask, training=False)

    every = LiveExpectations(chapters()[3], secret=b"tests")
    result = judge(3, "MultiHeadAttention", MultiHeadAttention, tmp_path, every)
    assert {mistake.sentence for mistake in result.mistakes} == {
        "Dropout is never applied.",
        "return_weights is ignored: the weights are never returned.",
    }


def test_a_layer_whose_weights_are_made_anew_in_every_call_fails_without_raising(tmp_path: Path) -> None:
    class MultiHeadAttention(library.MultiHeadAttention):
        def call(self, inputs, context=None, attention_mask=None, training=None, return_weights=False):
            self.query_dense = keras.layers.Dense(self.hidden_dim)
            return super().call(inputs, context, attention_mask, training, return_weights)

    result = judge(3, "MultiHeadAttention", MultiHeadAttention, tmp_path)
    assert result.earned == 0


@pytest.mark.parametrize(
    "answer",
    [None, 3, "text", float("nan"), [], (1, 2), {"output": 1}, lambda: None, [[1, 2], [3]], object()],
)
def test_whatever_comes_back_fails_with_a_message(answer: object, tmp_path: Path) -> None:
    """Of one exercise beside its mistakes, which are all compared alike; of the others without."""
    for name, exercise in chapters()[3].exercises.items():
        expectations = live(3) if name == "split_heads" else WithoutMistakes(chapters()[3], secret=b"tests")
        session = Interpreter(tmp_path, {name: lambda *args, **kwargs: answer})
        result = judge_exercise(exercise, session, expectations)
        assert result.earned == 0
        assert all(check.difference.message for check in result.checks)


def test_what_is_not_written_is_said_once(tmp_path: Path) -> None:
    def split_heads(x, num_heads):
        raise NotImplementedError("Write split_heads, then run the check below.")

    result = judge(3, "split_heads", split_heads, tmp_path)
    assert result.problem == "Not written yet. Write split_heads, then run the check below."
    assert result.earned == 0
