"""An invented language, with grammar that makes translation hard. Every sentence comes with its exact alignment.

The language differs from English, the source, in three rules. The noun comes before its adjectives, whose order is
reversed. Articles and adjectives agree with the noun's gender, which is its last letter. The verb comes last.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from course.validation.values import require_numbers, require_seed, require_sizes

ARTICLES = {"the": "l", "a": "un"}
NOUNS = {
    "dog": "kelo",
    "cat": "mira",
    "horse": "bravo",
    "bird": "sifa",
    "child": "nino",
    "woman": "dela",
    "farmer": "tarmo",
    "queen": "rexa",
    "king": "rogo",
    "sailor": "marno",
    "teacher": "lenta",
    "doctor": "medo",
    "house": "kasta",
    "tree": "arbo",
    "river": "fluva",
    "garden": "jardo",
    "boat": "nava",
    "bridge": "pondo",
    "field": "kampa",
    "tower": "turo",
    "pear": "poma",
    "book": "libo",
    "lamp": "lumna",
    "stone": "petro",
}
ADJECTIVES = {
    "big": "grand",
    "small": "pik",
    "grey": "vet",
    "young": "jun",
    "red": "rub",
    "blue": "azur",
    "green": "verd",
    "white": "blank",
    "quiet": "silent",
    "happy": "fel",
    "tired": "lass",
    "clever": "sagat",
    "strange": "kuri",
    "warm": "kald",
    "heavy": "gravit",
    "round": "rond",
}
VERBS = {
    "sees": "vidit",
    "finds": "trovit",
    "loves": "amit",
    "paints": "pintit",
    "follows": "sekvit",
    "carries": "portit",
    "sells": "vendit",
    "remembers": "memorit",
    "hears": "odit",
    "draws": "desit",
    "forgets": "oblit",
    "visits": "visitit",
    "hides": "kashit",
    "watches": "gardit",
}
_FEWEST = 5  # words: a noun with its article, a verb, a noun with its article

PREPOSITIONS = {"near": "apud", "behind": "retro", "under": "sub", "with": "kun", "above": "sor", "beside": "lado"}

SOURCE_WORDS = (*ARTICLES, *NOUNS, *ADJECTIVES, *VERBS, *PREPOSITIONS)
TARGET_WORDS = (
    *(stem + gender for stem in ARTICLES.values() for gender in "oa"),
    *NOUNS.values(),
    *(stem + gender for stem in ADJECTIVES.values() for gender in "oa"),
    *VERBS.values(),
    *PREPOSITIONS.values(),
)


class Sentence(NamedTuple):
    """A sentence in both languages.

    Attributes:
        source: its English words.
        target: its words in the other language.
        alignment: for each word of the target, the source position of the word that it translates.
    """

    source: list[str]
    target: list[str]
    alignment: list[int]


def sentences(
    count: int, seed: int, *, max_adjectives: int = 2, max_phrases: int = 1, shortest: int = 1, longest: int = 99
) -> list[Sentence]:
    """Draw random sentences: a subject, a verb and an object.

    Args:
        count: how many.
        seed: of the random choices.
        max_adjectives: the most adjectives of a noun.
        max_phrases: the most phrases such as "near the grey tree" of the subject, and of the object.
        shortest, longest: limits of the number of English words. Other sentences are drawn again.

    Returns:
        Sentences, possibly with duplicates.

    Raises:
        ValueError: an invalid size, more adjectives than the language has, or lengths that no sentence has.

    Example:
        >>> sentences(1, seed=8)[0]
        Sentence(source=['the', 'red', 'doctor', 'visits', 'the', 'horse'],
                 target=['lo', 'medo', 'rubo', 'lo', 'bravo', 'visitit'], alignment=[0, 2, 1, 4, 5, 3])
    """
    require_sizes(count=count, shortest=shortest, longest=longest)
    require_numbers(max_adjectives=max_adjectives, max_phrases=max_phrases)
    require_seed(seed)
    most = 1 + 2 * ((2 + max_adjectives) * (1 + max_phrases) + max_phrases)
    # A phrase has three words, a preposition with an article and a noun, and each noun may have adjectives.
    ranges = [(_FEWEST + 3 * n, _FEWEST + 3 * n + max_adjectives * (2 + n)) for n in range(int(2 * max_phrases) + 1)]
    fits = any(max(shortest, fewest) <= min(longest, greatest) for fewest, greatest in ranges)
    if not fits or max_adjectives > len(ADJECTIVES):
        raise ValueError(
            f"sentences have from {_FEWEST} to {most} words, with at most {max_adjectives} adjectives to a noun, of "
            f"{len(ADJECTIVES)}; without adjectives, they have {_FEWEST} words and 3 for each phrase. "
            f"Received: max_adjectives={max_adjectives}, shortest={shortest}, longest={longest}"
        )
    random = Random(seed)
    drawn: list[Sentence] = []
    while len(drawn) < count:
        sentence = _sentence(random, max_adjectives, max_phrases)
        if shortest <= len(sentence.source) <= longest:
            drawn.append(sentence)
    return drawn


def _sentence(random: Random, max_adjectives: int, max_phrases: int) -> Sentence:
    source: list[str] = []
    subject = _with_phrases(random, source, max_adjectives, max_phrases)
    verb = random.choice(list(VERBS))
    source.append(verb)
    at_verb = len(source) - 1
    target = [*subject, *_with_phrases(random, source, max_adjectives, max_phrases), (VERBS[verb], at_verb)]
    return Sentence(source, [word for word, _ in target], [place for _, place in target])


def _with_phrases(random: Random, source: list[str], max_adjectives: int, max_phrases: int) -> list[tuple[str, int]]:
    """Append a noun with its phrases to the source. Return the target words, each with its source position."""
    target = _noun(random, source, max_adjectives)
    for _ in range(random.randint(0, max_phrases)):
        preposition = random.choice(list(PREPOSITIONS))
        target.append((PREPOSITIONS[preposition], len(source)))
        source.append(preposition)
        target += _noun(random, source, max_adjectives)
    return target


def _noun(random: Random, source: list[str], max_adjectives: int) -> list[tuple[str, int]]:
    article, noun = random.choice(list(ARTICLES)), random.choice(list(NOUNS))
    adjectives = random.sample(list(ADJECTIVES), random.randint(0, max_adjectives))
    first, gender = len(source), NOUNS[noun][-1]
    source += [article, *adjectives, noun]
    target = [(ARTICLES[article] + gender, first), (NOUNS[noun], len(source) - 1)]
    described = [(ADJECTIVES[word] + gender, first + 1 + place) for place, word in enumerate(adjectives)]
    return target + described[::-1]
