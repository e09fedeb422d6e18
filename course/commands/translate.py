"""python -m course translate: train a translator for a language that nobody speaks, and translate with it."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.text import Text

from course.commands.given_options import given_options, require_untrained
from course.commands.terminal import errors, output, progress_bar
from course.commands.typed_lines import typed_lines
from course.errors import CourseError, as_course_errors

if TYPE_CHECKING:
    from course.applications.translation.translators import SequenceToSequence

EXAMPLE = "the grey dog sees a tree"
Model = Literal["transformer", "rnn"]
Positions = Literal["sinusoidal", "rope", "alibi", "none"]


def translate(
    context: typer.Context,
    sentences: Annotated[
        list[str] | None,
        typer.Argument(help="Sentences, in quotes; by default, each line of the standard input is one."),
    ] = None,
    *,
    translator: Annotated[Path, typer.Option(help="The translator; if it does not exist, it is trained first.")] = Path(
        "build/translator.keras"
    ),
    beams: Annotated[int, typer.Option(min=1, help="How many hypotheses the beam search keeps.")] = 1,
    model: Annotated[
        Model, typer.Option(help="What to train: a Transformer, or an RNN with attention.")
    ] = "transformer",
    positions: Annotated[Positions, typer.Option(help="How a Transformer knows positions.")] = "rope",
    steps: Annotated[int, typer.Option(min=20, help="Batches of 32 sentences to learn from.")] = 500,
    longest: Annotated[int, typer.Option(min=5, max=19, help="Words in the longest sentence to learn from.")] = 14,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="The seed of everything random.")] = 0,
) -> None:
    """Translate English sentences such as "the grey dog sees a tree" into a language with its own word order.

    Without sentences, the command asks for them one by one. To translate each line of a file, append < sentences.txt.

    The translator is trained once, within a minute; to train another one, name another file.
    """
    for_training = given_options(context, ("model", "positions", "steps", "longest", "seed"))
    if translator.suffix != ".keras":
        raise CourseError(f"the name of a translator's file must end with .keras. Received: {translator}")
    if model == "rnn" and "--positions" in for_training:
        raise CourseError("an RNN has no positions to choose. Leave out --positions, or --model rnn")
    if not translator.exists():
        _train(translator, model, positions, steps, longest, seed)
    else:
        require_untrained(translator, for_training, "file with --translator")
    taught = _load(translator)
    if sentences:
        for sentence in sentences:
            output.print(_translation(taught, sentence, beams))
    elif sys.stdin.isatty():
        _talk(taught, beams)
    else:
        _translate_lines(taught, beams)


def _load(translator: Path) -> SequenceToSequence:
    from course.applications.translation.translators import SequenceToSequence
    from course.training.keras_file import load_keras_file

    try:
        taught = load_keras_file(translator)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise CourseError(f"{translator} is not a translator: {reason}. Delete it to train it again") from error
    if not isinstance(taught, SequenceToSequence):
        raise CourseError(f"{translator} is a {type(taught).__name__}, not a translator. Name another file")
    return taught


def _translation(taught: SequenceToSequence, sentence: str, beams: int) -> str:
    """Translate a sentence, ignoring capitals and punctuation.

    Raises:
        CourseError: the sentence has no word, or one that the translator does not know.
    """
    from course.applications.translation.translate import ENGLISH, INVENTED
    from course.applications.translation.words import END_ID, START_ID
    from course.decoder import beam_search

    words = re.findall(r"[^\W_]+", sentence.lower())
    if not words:
        raise CourseError(f"there is no word in {sentence.strip()!r}. Write a sentence, such as: {EXAMPLE}")
    with as_course_errors():
        step = taught.step(ENGLISH.ids([words]), is_compiled=True)
        ids, _ = beam_search(step, START_ID, END_ID, beams, max_length=2 * len(words) + 4)
    return " ".join(INVENTED.texts([ids])[0])


def _talk(taught: SequenceToSequence, beams: int) -> None:
    """Ask for sentences in a loop; after a mistake, print the error and ask again."""
    with suppress(ImportError):
        import readline  # noqa: F401 - lets the arrow keys bring back earlier lines
    errors.print(f"Type one sentence a line, such as: {EXAMPLE}. An empty line ends.")
    while True:
        try:
            sentence = input("> ")
        except (EOFError, KeyboardInterrupt):
            errors.print()
            return
        if not sentence.strip():
            return
        try:
            output.print(_translation(taught, sentence, beams))
        except CourseError as error:
            errors.print(Text(str(error), style="red"))


def _translate_lines(taught: SequenceToSequence, beams: int) -> None:
    """Translate each line of the standard input; empty lines stay empty, so that line numbers agree.

    Raises:
        CourseError: no line has a sentence, or a line cannot be translated; the error names the line.
    """
    any_sentence = False
    for number, line in enumerate(typed_lines(), start=1):
        if not line.strip():
            output.print()
            continue
        any_sentence = True
        try:
            output.print(_translation(taught, line, beams))
        except CourseError as error:
            raise CourseError(f"line {number}: {error}") from error
    if not any_sentence:
        raise CourseError(
            "there is no sentence. Give sentences, in quotes, or a file with one on each line: < sentences.txt"
        )


def _train(to: Path, model: str, positions: str, steps: int, longest: int, seed: int) -> None:
    import keras
    import numpy as np

    from course.applications.translation.toy_language import sentences
    from course.applications.translation.training import POINTS_OF_A_CURVE, train
    from course.applications.translation.translate import ENGLISH, INVENTED
    from course.applications.translation.translators import RecurrentTranslator, Translator
    from course.applications.translation.words import END_ID, START_ID
    from course.decoder import teacher_forcing
    from course.storage.atomic import atomic_file, require_writable

    require_writable(to.parent)
    keras.utils.set_random_seed(seed)
    examples = sentences(20_000, seed, longest=longest)
    teaching = teacher_forcing(INVENTED.ids(sentence.target for sentence in examples), START_ID, END_ID)
    sizes = len(ENGLISH), len(INVENTED)
    model_to_train: SequenceToSequence = (
        RecurrentTranslator(*sizes) if model == "rnn" else Translator(*sizes, positions=positions)
    )
    with progress_bar() as progress:
        task = progress.add_task(f"Training {to}", total=steps // POINTS_OF_A_CURVE * POINTS_OF_A_CURVE)

        class Shown(keras.callbacks.Callback):
            def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
                progress.advance(task)

            def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
                progress.update(task, description=f"Training {to}, loss {(logs or {})['loss']:.3f}")

        ids = ENGLISH.ids(sentence.source for sentence in examples)
        train(model_to_train, ids, *map(np.array, teaching), steps=steps, seed=seed, callbacks=[Shown()])
    with atomic_file(to) as draft:
        model_to_train.save(draft)
    errors.print(f"{to}: the translator.", style="green")
