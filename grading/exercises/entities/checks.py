"""The checks of chapter 12, names. All sizes in a check differ, so that mixing up two axes shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.classifiers import (
    LENGTH,
    NUM_CLASSES,
    compiled_logits,
    drops_features_in_training,
    loaded,
    of_two_segments,
    padded_texts,
    texts,
    with_dropout,
    with_its_encoder,
    with_padding,
)
from grading.exercises.entities.sentences import (
    HALF_RIGHT,
    KINDS,
    ODD,
    TAGS,
    Random,
    any_tags,
    bio_paths,
    corpus,
    framed,
    guessed,
    ids_of_tags,
    labelled,
    names_of,
    offsets_of,
    pieces_of,
    said,
    scored,
    spans_of,
    written,
)
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, differ, with_dtypes
from grading.messages import Message

chapter = Chapter(12, "Names", "course.entities")

tagging = chapter.exercise("bio_tags")
aligning = chapter.exercise("align_labels")
classifier = chapter.exercise("TokenClassifier")
loss = chapter.exercise("token_loss")
reading = chapter.exercise("entities_of")
scoring = chapter.exercise("entity_scores")
paths = chapter.exercise("viterbi")

# bio_tags --------------------------------------------------------------------------------------------------


@tagging.check("tags the first word of a name, its other words, and words outside names", points=1)
def tagged(implementation: Proxy, random: Random) -> Any:
    answers = {}
    for words in (17, 23):
        offsets = offsets_of(random, words)
        answers[Message("the tags of {count} words", plural="the tags of {count} words", count=words)] = (
            implementation.on_arrays(offsets, spans_of(names_of(random, words), offsets))
        )
    nothing, listed = offsets_of(random, 3), offsets_of(random, 12)
    return {
        **answers,
        "the tags of 3 words without a name": implementation.on_arrays(nothing, []),
        "the tag of 1 word without a name": implementation.on_arrays(nothing[:1], []),
        "the tags of a text without words": implementation.on_arrays(nothing[:0], []),
        "the tags of a kind in capitals": implementation.on_arrays(nothing, spans_of([(0, 2, "PER")], nothing)),
        "the tags of 12 words in a list": implementation.on_arrays(
            listed.tolist(), spans_of(names_of(random, 12), listed)
        ),
    }


@tagging.check("begins each of two adjacent names", points=0.5)
def side_by_side(implementation: Proxy, random: Random) -> Any:
    offsets = offsets_of(random, 19)
    alike = [(first, last, "person") for first, last, _ in names_of(random, 19, beside=True)]
    touching = offsets_of(random, 11, gaps=(0,))
    return {
        "the tags of names of three kinds": implementation.on_arrays(
            offsets, spans_of(names_of(random, 19, beside=True), offsets)
        ),
        "the tags of words without a space": implementation.on_arrays(
            touching, spans_of(names_of(random, 11, beside=True), touching)
        ),
        "the tags of names of one kind": implementation.on_arrays(offsets, spans_of(alike, offsets)),
    }


@tagging.check("assigns a word to the name in which it begins", points=1)
def partly(implementation: Proxy, random: Random) -> Any:
    offsets = offsets_of(random, 9, gaps=(1,))
    (start, end), (_, last), kind = offsets[2], offsets[3], str(random.choice(KINDS))
    return {
        "the tags of a name that ends within its last word": implementation.on_arrays(
            offsets, [(int(start), int(last) - 1, kind)]
        ),
        "the tags of a name that ends with a space": implementation.on_arrays(
            offsets, [(int(start), int(end) + 1, kind)]
        ),
        "the tags of a name that ends after the first letter of the next word": implementation.on_arrays(
            offsets, [(int(start), int(end) + 2, kind)]
        ),
        "the tags of a name that begins within a word": implementation.on_arrays(
            offsets, [(int(start) + 1, int(last), kind)]
        ),
        "the tags of a name in which no word begins": implementation.on_arrays(
            offsets, [(int(start) + 1, int(end), kind)]
        ),
        # Two names end before the next word.
        "the tags of such a name between two others": implementation.on_arrays(
            offsets,
            [
                (int(start), int(start) + 1, "place"),
                (int(start) + 1, int(end), "person"),
                *spans_of([(3, 5, "creative-work"), (6, 7, "place")], offsets),
            ],
        ),
    }


@tagging.check("accepts names in any order", points=0.5)
def any_order(implementation: Proxy, random: Random) -> Any:
    offsets = offsets_of(random, 26, gaps=(0,))
    spans = spans_of(names_of(random, 26), offsets)
    return implementation.on_arrays(offsets, [*spans[2:], *spans[:2][::-1]])


# align_labels ----------------------------------------------------------------------------------------------


@aligning.check("labels the first piece of each word, and ignores its other pieces", points=1)
def first_pieces(implementation: Proxy, random: Random) -> Any:
    answers: dict[str, Any] = {}
    for words in (6, 11, 140):
        tags, tag_ids = any_tags(random, words), ids_of_tags(random)
        answers[Message("the labels of {count} words", plural="the labels of {count} words", count=words)] = (
            implementation.on_arrays(tags, pieces_of(random, words), tag_ids)
        )
    whole = np.arange(5, dtype="int32")  # one piece per word, and the same tag everywhere
    answers[Message("the labels of five words with the same tag")] = implementation.on_arrays(
        ["I-place"] * 5, whole, {"O": 0, "I-place": 7}
    )
    answers[Message("the labels of two words, one with the tag id 0")] = implementation.on_arrays(
        ["O", "I-place"], whole[:2], {"O": 0, "I-place": 7}
    )
    single = implementation.on_arrays(["B-place"], 0 * whole[:4], {"O": 0, "B-place": 5})
    alone = implementation.on_arrays(["B-place"], whole[:1], {"O": 0, "B-place": 5})
    return {**answers, "the labels of one word of four pieces": single, "the label of one piece": alone}


@aligning.check("ignores [CLS], [SEP] and padding", points=1)
def special_tokens(implementation: Proxy, random: Random) -> Any:
    tags, tag_ids = [*any_tags(random, 5), "O", "O"], ids_of_tags(random)
    return {
        "the labels of seven words": implementation.on_arrays(tags, framed(pieces_of(random, 7), padding=4), tag_ids),
        "the labels of a text without words": implementation.on_arrays(
            [], framed(pieces_of(random, 0), padding=2), tag_ids
        ),
    }


@aligning.check("uses the index of the word if words have no piece or were cut off", points=0.5)
def words_without_pieces(implementation: Proxy, random: Random) -> Any:
    tags, tag_ids = ["B-person", "I-person", "O", "B-place", "O", "I-place", "B-person"], ids_of_tags(random)
    word_ids = pieces_of(random, 7)
    return {
        "the labels if words 0, 2 and 3 have no piece": implementation.on_arrays(
            tags, framed(word_ids[~np.isin(word_ids, (0, 2, 3))]), tag_ids
        ),
        "the labels if all after word 3 is cut off": implementation.on_arrays(
            tags, framed(word_ids[word_ids < 4]), tag_ids
        ),
    }


@aligning.check("accepts another `ignore`, and returns integers", points=0.5)
def other_ignore(implementation: Proxy, random: Random) -> Any:
    tags, tag_ids = [*any_tags(random, 3), "O", "O"], ids_of_tags(random)
    return {
        **with_dtypes(implementation.on_arrays(tags, framed(pieces_of(random, 5)).astype("int64"), tag_ids, ignore=-1)),
        "the labels with ignore=0": implementation.on_arrays(tags, framed(pieces_of(random, 5)), tag_ids, ignore=0),
        "the labels of one of very many tags": implementation.on_arrays(
            ["O"], framed(pieces_of(random, 1)), {"O": 70_000}
        ),
    }


# TokenClassifier -------------------------------------------------------------------------------------------


@classifier.check("projects each token's encoder output to one logit per tag", points=1.5)
def every_token(implementation: Proxy, random: Random) -> Any:
    return loaded(implementation, random)(texts(random))


@classifier.check("ignores the contents of padding", points=0.5)
def padding(implementation: Proxy, random: Random) -> Any:
    is_text = padded_texts(random)["padding_mask"]
    return {case: logits[is_text] for case, logits in with_padding(implementation, random).items()}


@classifier.check("tells the encoder which text a token belongs to", points=0.5)
def segments(implementation: Proxy, random: Random) -> Any:
    return of_two_segments(implementation, random)


@classifier.check("applies dropout to the features, in training only", points=0.5, judge=drops_features_in_training)
def dropout(implementation: Proxy, random: Random) -> Any:
    return with_dropout(implementation, random, copies=15)


@classifier.check("is right in mixed precision", points=0.5, tolerance=5e-2)
def mixed_precision(implementation: Proxy, random: Random) -> Any:
    made = loaded(implementation, random, dtype="mixed_float16")
    return with_dtypes(made(texts(random)), made)


@classifier.check("runs in a compiled model, for any batch and length", points=0.5, slow=True)
def compiled(implementation: Proxy, random: Random) -> Any:
    return {**compiled_logits(implementation, random, LENGTH, NUM_CLASSES), **with_its_encoder(implementation)}


# token_loss ------------------------------------------------------------------------------------------------


@loss.check("is the mean of -log P(tag) if all tokens are labelled", points=0.5)
def all_labelled(implementation: Proxy, random: Random) -> Any:
    labels, logits = labelled(random)
    many = random.standard_normal((520, 130, 2)).astype("float32")  # more tokens than float16 has numbers
    return {
        "the loss": implementation(np.abs(labels) % 5, logits),
        "the loss of 520 long texts": implementation(random.randint(0, 2, (520, 130)).astype("int32"), many),
        # e^-200 is 0 in float32, and its logarithm is infinite.
        "the loss of logits in the hundreds": implementation(np.abs(labels) % 5, 100 * logits),
    }


@loss.check("counts only labelled tokens, all with the same weight", points=1)
def some_labelled(implementation: Proxy, random: Random) -> Any:
    labels, logits = labelled(random)
    ignored = labels == -100
    huge = np.where(ignored[..., None], 1e30 * logits, logits).astype("float32")
    return {
        **implementation.with_one(labels, logits),
        "the loss with huge logits of ignored tokens": implementation(labels, huge),
        "the loss of labels in int64": implementation(labels.astype("int64"), logits),
        "the loss of texts of one token": implementation(np.abs(labels[:, :1]) % 5, logits[:, :1]),
        "the loss with ignore=-1": implementation(np.where(ignored, -1, labels), logits, ignore=-1),
        "the loss with ignore=4": implementation(np.where(ignored, 4, labels), logits, ignore=4),
        "the loss with ignore=0": implementation(
            np.where(ignored, 0, np.where(labels == 0, 4, labels)), logits, ignore=0
        ),
    }


@loss.check("is 0 if no token is labelled", points=0.5)
def none_labelled(implementation: Proxy, random: Random) -> Any:
    labels, logits = labelled(random)
    loss_of_none = implementation(np.full_like(labels, -100), logits)
    # A function that always returns 0 must not pass.
    differs = differ(loss_of_none, implementation(labels, logits))
    return {"the loss": loss_of_none, "whether labelled tokens change it": differs}


@loss.check("is computed in float32, whatever the dtype of the logits", points=0.5)
def half_precision(implementation: Proxy, random: Random) -> Any:
    # For a sure head, 1 + e^-5 is 1.0067, of which float16 keeps three digits.
    sure = np.array([[[0.0, 5.0, -3.0], [4.7, -2.0, 0.0]]]) + 0.3 * random.random_sample((1, 2, 3))
    return {
        "with many tags": with_dtypes(implementation(*labelled(random, "float16", num_tags=800))),
        "with a sure head": implementation(np.array([[1, 0]], "int32"), sure.astype("float16")),
        # More than the largest number of float16.
        "with 70,000 tokens": implementation(
            random.randint(0, 3, (7, 10_000)).astype("int32"), random.standard_normal((7, 10_000, 3)).astype("float16")
        ),
    }


@loss.check("runs in a compiled step, and passes gradients on", points=0.5)
def compiled_loss(implementation: Proxy, random: Random) -> Any:
    labels, logits = labelled(random)
    return {
        "the loss in a compiled step": implementation.in_graph(labels, logits),
        **implementation.gradients(labels, logits, along=np.ones((), "float32"), by=("", "logits")),
    }


# entities_of -----------------------------------------------------------------------------------------------


@reading.check("reads names from tags: the first word, the word after the last, and the kind", points=1)
def names_read(implementation: Proxy, random: Random) -> Any:
    answers = {}
    for words in (13, 21):
        tags = [*written(names_of(random, words), words), "O", "B-place", "O"]
        answers[Message("the names in {count} words", plural="the names in {count} words", count=len(tags))] = said(
            implementation(tags)
        )
    return {**answers, "the names in three words without one": said(implementation(["O"] * 3))}


@reading.check("ends a name at the next name, and at the end of the sentence", points=0.5)
def ends(implementation: Proxy, random: Random) -> Any:
    alike = [(first, last, "place") for first, last, _ in names_of(random, 15, beside=True)]
    return {
        "adjacent names of one kind": said(implementation(written(alike, 15))),
        "adjacent names of three kinds": said(implementation(written(names_of(random, 16, beside=True), 16))),
        "a name at the end": said(implementation(["O", "B-person", "I-person"])),
        "a name that is the whole sentence": said(implementation(["B-place"])),
        "a name of 140 words": said(implementation(["B-place", *["I-place"] * 139])),
        "the names of no words": said(implementation([])),
    }


@reading.check("begins a name at an I- that continues none, as conlleval does", points=0.5)
def lenient(implementation: Proxy, random: Random) -> Any:
    odd = {case: said(implementation(tags)) for case, tags in ODD.items()}
    return {**odd, "the names of tags in any order": said(implementation(any_tags(random, 40)))}


@reading.check("begins names only at B- with strict=True", points=0.5)
def strictly(implementation: Proxy, random: Random) -> Any:
    odd = {case: said(implementation(tags, strict=True)) for case, tags in ODD.items()}
    return {**odd, "the names of tags in any order": said(implementation(any_tags(random, 40), strict=True))}


@reading.check("reads the kind as everything after the first hyphen", points=0.5)
def kinds_with_hyphens(implementation: Proxy, random: Random) -> Any:
    return {
        "the names": said(implementation(["B-a-b", "I-a-b", "B-a", "I-a-c", "I-a-c", "O", "B-a-b"])),
        "the names of kinds in capitals": said(implementation(["B-PER", "I-PER", "I-per", "B-Per"])),
    }


# entity_scores ---------------------------------------------------------------------------------------------


def of_all(scores: dict[str, Any]) -> dict[str, Any]:
    return {name: scores[name] for name in ("precision", "recall", "f1")}


@scoring.check("counts a name as right if both ends and the kind are right", points=1)
def whole_names(implementation: Proxy, random: Random) -> Any:
    names = [["B-place", "I-place", "I-place", "O", "B-person", "O"]]
    cases = {
        "its end is missing": ["B-place", "I-place", "O", "O", "B-person", "O"],
        "it is too long": ["B-place", "I-place", "I-place", "I-place", "B-person", "O"],
        "its start is missing": ["O", "B-place", "I-place", "O", "B-person", "O"],
        "its kind is wrong": ["B-person", "I-person", "I-person", "O", "B-person", "O"],
        "it is split in two": ["B-place", "B-place", "I-place", "O", "B-person", "O"],
        "it is right": names[0],
        "it is right, but another was found, too": ["B-place", "I-place", "I-place", "O", "B-person", "B-place"],
    }
    return {
        Message("{case}: {name}", case=Message.of(case), name=name): value
        for case, tags in cases.items()
        for name, value in of_all(implementation(names, [tags])).items()
    }


@scoring.check("counts over all sentences, then divides", points=1)
def micro(implementation: Proxy, random: Random) -> Any:
    alike = [["B-place", "O", "O"]] * 3
    goes_on = [["O", "B-place"], ["I-place", "O"]]  # a name ends with its sentence, whatever comes next
    empty = [[], ["B-place"], []]
    return {
        **of_all(implementation(*corpus(random))),
        **{
            Message("the same words in three sentences: {name}", name=name): value
            for name, value in of_all(
                implementation(alike, [["B-place", "O", "B-place"], ["O"] * 3, ["O"] * 3])
            ).items()
        },
        **{
            Message("an I- at the beginning of a sentence: {name}", name=name): value
            for name, value in of_all(implementation(goes_on, [["O", "B-place"], ["O", "O"]])).items()
        },
        **{
            Message("sentences without words: {name}", name=name): value
            for name, value in of_all(implementation(empty, empty)).items()
        },
    }


@scoring.check("returns the scores of each kind, and their mean", points=1)
def of_each_kind(implementation: Proxy, random: Random) -> Any:
    true, predicted = corpus(random, (14, 6, 23, 11, 8))  # with the one below, more sentences than kinds
    true.append(["B-only-true", "I-only-true", "O", "B-person"])
    predicted.append(["O", "B-only-found", "I-only-found", "B-person"])
    true.append(["B-PERSON", "O", "B-person"])
    predicted.append(["B-person", "O", "B-person"])
    scores = implementation(true, predicted)
    kinds = scores["kinds"]
    rates = {
        Message("{name} of {kind}", name=name, kind=kind): kinds[kind][name] for kind in kinds for name in kinds[kind]
    }
    single = implementation([["B-place", "I-place", "O"]], [["B-place", "I-place", "O"]])
    return {
        "the kinds": sorted(kinds),
        "macro_f1": scores["macro_f1"],
        **rates,
        "a single name: the kinds": sorted(single["kinds"]),
        "a single name: macro_f1": single["macro_f1"],
    }


@scoring.check("is 0 if there is nothing to divide", points=0.5)
def nothing(implementation: Proxy, random: Random) -> Any:
    tags, outside = written(names_of(random, 9), 9), ["O"] * 9
    answers: dict[str, Any] = {}
    for case, pair in {"nothing is found": (tags, outside), "there is no name": (outside, tags)}.items():
        answers |= {
            Message("{case}: {name}", case=Message.of(case), name=name): value
            for name, value in of_all(implementation(*([tags] for tags in pair))).items()
        }
    neither = implementation([outside], [outside])
    return {**answers, "no names at all: f1": neither["f1"], "no names at all: macro_f1": neither["macro_f1"]}


@scoring.check("passes `strict` on, for both sides", points=0.5)
def strict_scores(implementation: Proxy, random: Random) -> Any:
    lengths = (9, 17, 12)
    true = [any_tags(random, words) for words in lengths]
    predicted = [guessed(random, tags) for tags in true]
    # A name that would continue, and six that are none: precision and recall are never equal. Only without `strict`,
    # the last sentence has a name.
    goes_on = (
        [["O", "B-place"], ["I-place", "O"], ["O"] * 6, ["O", "I-stray"]],
        [["O", "B-place"], ["O", "O"], ["B-place"] * 6, ["O", "I-stray"]],
    )
    true, predicted = (
        [*side, *half, *last] for side, half, last in zip((true, predicted), HALF_RIGHT, goes_on, strict=True)
    )
    return {
        Message("{name}, strict={strict}", name=name, strict=strict): value
        for strict in (False, True)
        for name, value in implementation(true, predicted, strict=strict).items()
        if name != "kinds"
    }


# viterbi ---------------------------------------------------------------------------------------------------


@paths.check("finds the best of all sequences", points=1.5)
def best_path(implementation: Proxy, random: Random) -> Any:
    sizes = ((5, 4), (9, 3), (23, 6), *((words, 5) for words in range(10, 20)))
    cases = [*(scored(random, words, tags) for words, tags in sizes), last_tag_once(random)]
    answers = {
        Message(
            "{count} words, {tags} tags", plural="{count} words, {tags} tags", count=len(case[0]), tags=len(case[2])
        ): implementation.on_arrays(*case)
        for case in cases
    }
    # The same arrays twice: an implementation could change them in place.
    own = [implementation.make("numpy.array", array.astype("float64")) for array in scored(random, 7, 5)]
    return {
        **answers,
        "23 other words, 6 tags": implementation.on_arrays(*scored(random, 23, 6)),
        "7 words, 5 tags, in float64": implementation(*own),
        "the same arrays once more": implementation(*own),
        "two words, the first of which is outweighed": implementation.on_arrays(*outweighed(random)),
    }


def outweighed(random: Random) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a case where the first word prefers one tag, and the better path another, by half as much again."""
    likely, better, last = random.permutation(5)[:3]
    scores, transitions = np.zeros((2, 5), "float32"), np.zeros((5, 5), "float32")
    scores[0, likely], transitions[better, last], scores[1, last] = 2, 3, 10
    return scores, transitions, np.zeros(5, "float32")


def last_tag_once(random: Random) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a case whose best path has the last of 301 tags, whose number no byte holds, at the second word."""
    scores, transitions, start = scored(random, 4, 301)
    scores[1, 300] += 40
    return scores, transitions, start


@paths.check("takes no forbidden path", points=1)
def forbidden(implementation: Proxy, random: Random) -> Any:
    # The first word prefers O a little, the second I much; if the first counted twice, O would win.
    begins = 1 + 2 * int(random.randint(3))
    two = np.zeros((2, len(TAGS)), "float32")
    two[0, 0], two[1, 0], two[1, begins + 1] = 0.6, 4, 5
    answers = {"two words of a name": implementation.on_arrays(two, *bio_paths())}
    for words in (6, 17, 31):
        # I- is likely everywhere, but rarely allowed.
        scores = random.standard_normal((words, len(TAGS))) + np.array([tag[0] == "I" for tag in TAGS])
        answers[Message("{count} words", plural="{count} words", count=words)] = implementation.on_arrays(
            scores.astype("float32"), *bio_paths()
        )
        # No score may outweigh a forbidden step, however sure the head is.
        answers[Message("{count} words with a sure head", plural="{count} words with a sure head", count=words)] = (
            implementation.on_arrays((4e30 * scores).astype("float32"), *bio_paths())
        )
    return answers


@paths.check("adds the start scores", points=0.5)
def beginning(implementation: Proxy, random: Random) -> Any:
    answers = {}
    for number in range(20):
        scores, transitions, start = scored(random, 4, 5)
        # Another check tests their direction. All are small, so that sums over all paths are no maxima.
        answers[Message("four words, sentence {number}", number=number)] = implementation.on_arrays(
            scores / 4, (transitions + transitions.T) / 8, start / 4
        )
    return {
        **answers,
        "one word": implementation.on_arrays(scores[:1], transitions, 3 * start),
        "one unlikely word": implementation.on_arrays(*unlikely(random)),
        "one word that its start outweighs": implementation.on_arrays(*outweighed_by_start(random)),
        "four words, with a single tag": implementation.on_arrays(scores[:, :1], transitions[:1, :1], start[:1]),
        "four words that do not matter": implementation.on_arrays(0 * scores, transitions + transitions.T, start),
    }


def outweighed_by_start(random: Random) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a single word that prefers one tag, and whose start prefers another by more."""
    likely, begins = random.permutation(4)[:2]
    scores, start = np.zeros((1, 4), "float32"), np.zeros(4, "float32")
    scores[0, likely], start[begins] = 1, 3
    return scores, np.zeros((4, 4), "float32"), start


def unlikely(random: Random) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a word that outweighs the start, though the probabilities of its tags are both close to 0."""
    likeliest, begins = random.permutation(4)[:2]
    scores, start = np.full((1, 4), -6, "float32"), np.zeros(4, "float32")
    scores[0, likeliest], start[begins] = -2, 1
    return scores, np.zeros((4, 4), "float32"), start


@paths.check("reads transitions from row to column, and returns int32", points=0.5)
def direction(implementation: Proxy, random: Random) -> Any:
    circle = np.full((4, 4), -9.0, "float32")
    # The last of seven words has a tag in the middle, but where all ends are equally good, argmax takes the first.
    order = np.concatenate([random.permutation([0, 3]), random.permutation([1, 2])])
    circle[order, np.roll(order, -1)] = 0.0  # each tag is followed by one other
    start = np.full(4, -4.0, "float32")
    start[order[0]] = 0.0
    return with_dtypes(implementation.on_arrays(np.zeros((7, 4), "float32"), circle, start))


@paths.check("is right for hundreds of words, and with impossible tags", points=0.5)
def long_and_impossible(implementation: Proxy, random: Random) -> Any:
    scores, transitions, start = scored(random, 300, 4)
    # Round and round: if the best tag never changed, the direction of the transitions would make no difference.
    transitions = transitions + 9 * np.roll(np.eye(4, dtype="float32"), 1, axis=1)
    answers = {"300 unlikely words": implementation.on_arrays(scores - 20, transitions, start)}
    for number in range(16):
        few, *steps = scored(random, 6, 4)
        few[np.arange(6), random.randint(0, 4, 6)] = -np.inf
        answers[Message("6 words, each with an impossible tag, sentence {number}", number=number)] = (
            implementation.on_arrays(few / 2 - 40, *steps)
        )
    two, *steps = outweighed(random)
    two[1, two[1] == 0] = -np.inf
    return {
        **answers,
        "two unlikely words, the second of which has one tag": implementation.on_arrays(two - 40, *steps),
    }
