"""What goes wrong in basic_tokenize."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable

import course.tokenization as right
from course.tokenization import SPECIAL_TOKEN_PATTERN, SPECIAL_TOKENS, is_accent, is_cjk, is_control, is_punctuation
from grading.exercises.tokenization.checks import basic


def lower_without_accents(text: str, lowercase: bool) -> str:
    if not lowercase:
        return text
    decomposed = unicodedata.normalize("NFD", text.lower())
    return "".join(character for character in decomposed if not is_accent(character))


def variant(
    text: str,
    lowercase: bool,
    *,
    special: re.Pattern[str] = SPECIAL_TOKEN_PATTERN,
    normalise: Callable[[str, bool], str] = lower_without_accents,
    space: Callable[[str], bool] = right.is_space,
    alone: Callable[[str], bool] = lambda character: is_punctuation(character) or is_cjk(character),
    gone: Callable[[str], bool] = is_control,
) -> list[str]:
    """The tokenizer in steps, one of which a mistake gets wrong."""
    tokens: list[str] = []
    for part in special.split(text):
        if part.upper() in SPECIAL_TOKENS and special.fullmatch(part):
            tokens.append(part)
            continue
        spaced = ""
        for character in normalise(part, lowercase):
            if space(character):
                spaced += " "
            elif alone(character):
                spaced += f" {character} "
            elif not gone(character):
                spaced += character
        tokens += [token for token in spaced.split(" ") if token]
    return tokens


@basic.whole_mistake(
    "Words are split at single spaces only; tabs and ends of lines stay inside words.",
    hint="A text has more than one kind of white space. Which function of this chapter knows them?",
)
def only_spaces(text: str, lowercase: bool = True) -> list[str]:
    return variant(text, lowercase, space=lambda character: character == " ", gone=lambda character: False)


@basic.whole_mistake(
    "Tabs and ends of lines are thrown away as control characters, so that the words beside them become one.",
    hint="To Unicode, a tab is a control character. What must be asked first?",
)
def tabs_vanish(text: str, lowercase: bool = True) -> list[str]:
    return variant(
        text,
        lowercase,
        space=lambda character: character not in "\t\n\r" and right.is_space(character),
        gone=lambda character: unicodedata.category(character).startswith("C") or is_control(character),
    )


@basic.whole_mistake(
    "Only ASCII white space ends a word; a no-break space does not.",
    hint="Try a text with '\\u00a0'. What does is_space say of it?",
)
def only_ascii_space(text: str, lowercase: bool = True) -> list[str]:
    return variant(text, lowercase, space=lambda character: character in " \t\n\r")


@basic.whole_mistake(
    "White space leaves empty tokens behind.",
    hint="What does 'a  b'.split(' ') give, with two spaces between the letters?",
)
def empty_tokens(text: str, lowercase: bool = True) -> list[str]:
    spaced = "".join(" " if right.is_space(character) else character for character in text)
    return [token for part in spaced.split(" ") for token in right.basic_tokenize(part, lowercase) or [""]]


@basic.whole_mistake(
    "Punctuation is dropped; it should be split off.",
    hint="How many tokens has 'Yes!'? A question mark means something, too.",
)
def punctuation_dropped(text: str, lowercase: bool = True) -> list[str]:
    return [
        token
        for token in right.basic_tokenize(text, lowercase)
        if token in SPECIAL_TOKENS or not is_punctuation(token[0])
    ]


@basic.whole_mistake(
    "Punctuation is not split off: it stays with the word that it touches.",
    hint="What must stand on both sides of a mark so that it is cut off?",
)
def punctuation_kept(text: str, lowercase: bool = True) -> list[str]:
    return variant(text, lowercase, alone=is_cjk)


@basic.whole_mistake(
    "Several marks in a row stay together, as in '...'.",
    hint="Each mark is a token of its own, even beside another one.",
)
def runs_of_punctuation(text: str, lowercase: bool = True) -> list[str]:
    tokens: list[str] = []
    for word in variant(text, lowercase, alone=is_cjk):
        runs = re.findall(r"[^\W_]+|[\W_]+", word)
        tokens += [word] if word in SPECIAL_TOKENS else runs
    return tokens


@basic.whole_mistake(
    "Punctuation is split off at the ends of words only, not inside them.",
    hint='How many tokens has "don\'t"?',
)
def punctuation_at_ends(text: str, lowercase: bool = True) -> list[str]:
    tokens: list[str] = []
    for word in variant(text, lowercase, alone=is_cjk):
        start, end = 0, len(word)
        while start < end and is_punctuation(word[start]):
            start += 1
        while end > start and is_punctuation(word[end - 1]):
            end -= 1
        whole = word in SPECIAL_TOKENS
        tokens += [word] if whole else [*word[:start], *([word[start:end]] if end > start else []), *word[end:]]
    return tokens


@basic.whole_mistake(
    "Only ASCII punctuation is split off; marks such as “ and … stay with their words.",
    hint="string.punctuation has 32 marks. Unicode has hundreds.",
)
def only_ascii_punctuation(text: str, lowercase: bool = True) -> list[str]:
    return variant(text, lowercase, alone=lambda character: character in string.punctuation or is_cjk(character))


@basic.whole_mistake(
    "ASCII symbols such as $ and + are not split off.",
    hint="To Unicode they are symbols, not punctuation. What are they to BERT?",
)
def symbols_kept(text: str, lowercase: bool = True) -> list[str]:
    return variant(
        text,
        lowercase,
        alone=lambda character: unicodedata.category(character).startswith("P") or is_cjk(character),
    )


@basic.whole_mistake(
    "The text is not put into lower case.",
    hint="A vocabulary in lower case does not know 'The'. What does lowercase=True ask for?",
)
def never_lower(text: str, lowercase: bool = True) -> list[str]:
    def normalise(part: str, lowercase: bool) -> str:
        decomposed = unicodedata.normalize("NFD", part) if lowercase else part
        return "".join(character for character in decomposed if not (lowercase and is_accent(character)))

    return variant(text, lowercase, normalise=normalise)


@basic.whole_mistake(
    "Accents are kept.",
    hint="In form NFD, é is two characters. What are they?",
)
def accents_kept(text: str, lowercase: bool = True) -> list[str]:
    return variant(text, lowercase, normalise=lambda part, lower: part.lower() if lower else part)


@basic.whole_mistake(
    "Accents are set apart from their letters, but not taken off.",
    hint="Normalising makes an accent a character of its own. Which function finds it?",
)
def accents_apart(text: str, lowercase: bool = True) -> list[str]:
    return variant(
        text, lowercase, normalise=lambda part, lower: unicodedata.normalize("NFD", part.lower()) if lower else part
    )


@basic.whole_mistake(
    "Only accents that were typed as characters of their own are taken off; é in one character keeps its accent.",
    hint="The same é can be typed in two ways. What makes them one?",
)
def no_decomposition(text: str, lowercase: bool = True) -> list[str]:
    def normalise(part: str, lower: bool) -> str:
        return "".join(c for c in part.lower() if not is_accent(c)) if lower else part

    return variant(text, lowercase, normalise=normalise)


@basic.whole_mistake(
    "Letters are dropped together with their accents: café becomes caf.",
    hint="Take the accent apart from its letter before you throw something away.",
)
def letters_dropped(text: str, lowercase: bool = True) -> list[str]:
    def normalise(part: str, lower: bool) -> str:
        kept = (c for c in part.lower() if not is_accent(c) and unicodedata.normalize("NFD", c) == c)
        return "".join(kept) if lower else part

    return variant(text, lowercase, normalise=normalise)


@basic.whole_mistake(
    "Every letter that is not ASCII is dropped, such as ß and σ.",
    hint="To encode as ASCII throws away more than accents. What exactly should go?",
)
def only_ascii(text: str, lowercase: bool = True) -> list[str]:
    def normalise(part: str, lower: bool) -> str:
        kept = (c for c in lower_without_accents(part, lower) if c.isascii() or not c.isalpha() or is_cjk(c))
        return "".join(kept) if lower else part

    return variant(text, lowercase, normalise=normalise)


@basic.whole_mistake(
    "The text is normalised to NFKD, which replaces letters, too: ﬁ becomes fi.",
    hint="There are four normal forms. Which of them only takes accents from letters?",
)
def compatibility_form(text: str, lowercase: bool = True) -> list[str]:
    def normalise(part: str, lower: bool) -> str:
        return unicodedata.normalize("NFKD", lower_without_accents(part, lower)) if lower else part

    return variant(text, lowercase, normalise=normalise)


@basic.whole_mistake(
    "casefold is used for lower: ß becomes ss.",
    hint="casefold makes texts comparable; it does more than lower case.",
)
def case_folded(text: str, lowercase: bool = True) -> list[str]:
    def normalise(part: str, lower: bool) -> str:
        return lower_without_accents(part.casefold(), lower) if lower else part

    return variant(text, lowercase, normalise=normalise)


@basic.whole_mistake(
    "lowercase is ignored: the text is always put into lower case and its accents are taken off.",
    hint="What must be different where lowercase is False?",
)
def always_lower(text: str, lowercase: bool = True) -> list[str]:
    return right.basic_tokenize(text, True)


@basic.whole_mistake(
    "Accents are taken off even where lowercase is False.",
    hint="A cased vocabulary has its accents, too. What does lowercase decide?",
)
def accents_always_taken_off(text: str, lowercase: bool = True) -> list[str]:
    def normalise(part: str, lower: bool) -> str:
        decomposed = unicodedata.normalize("NFD", part.lower() if lower else part)
        return "".join(c for c in decomposed if not is_accent(c))

    return variant(text, lowercase, normalise=normalise)


@basic.whole_mistake(
    "The text is normalised even where lowercase is False: é becomes e with an accent behind it.",
    hint="They look the same in print. Compare the lengths.",
)
def always_decomposed(text: str, lowercase: bool = True) -> list[str]:
    def normalise(part: str, lower: bool) -> str:
        return lower_without_accents(part, lower) if lower else unicodedata.normalize("NFD", part)

    return variant(text, lowercase, normalise=normalise)


@basic.whole_mistake(
    "Control characters are kept.",
    hint="Try 'co\\u00adoperate'. You do not see the soft hyphen, but a vocabulary would.",
)
def controls_kept(text: str, lowercase: bool = True) -> list[str]:
    return variant(text, lowercase, gone=lambda character: False)


@basic.whole_mistake(
    "Control characters end words; they should leave no gap.",
    hint="A soft hyphen stands inside a word. How many words are there when it is gone?",
)
def controls_as_spaces(text: str, lowercase: bool = True) -> list[str]:
    return variant(text, lowercase, space=lambda character: right.is_space(character) or is_control(character))


@basic.whole_mistake(
    "The text is split by str.split before control characters are gone: to it, some of these are white space.",
    hint="What does 'a\\x0bb'.split() give, and what does is_space say of that character?",
)
def python_space(text: str, lowercase: bool = True) -> list[str]:
    return [token for word in text.split() for token in right.basic_tokenize(word, lowercase)]


@basic.whole_mistake(
    "Chinese characters are not set apart: a whole sentence is one word.",
    hint="There are no spaces in Chinese. Which function finds its characters?",
)
def chinese_together(text: str, lowercase: bool = True) -> list[str]:
    return variant(text, lowercase, alone=is_punctuation)


@basic.whole_mistake(
    "Japanese kana are set apart like Chinese characters.",
    hint="Not all that looks like Chinese is. What does is_cjk say?",
)
def kana_alone(text: str, lowercase: bool = True) -> list[str]:
    def alone(character: str) -> bool:
        return is_punctuation(character) or is_cjk(character) or "\u3040" <= character <= "\u30ff"

    return variant(text, lowercase, alone=alone)


@basic.whole_mistake(
    "Only the block of frequent Chinese characters is known; rare ones stay together with what is beside them.",
    hint="Chinese has eight blocks in Unicode. Which function knows them all?",
)
def one_block(text: str, lowercase: bool = True) -> list[str]:
    return variant(
        text, lowercase, alone=lambda character: is_punctuation(character) or "\u4e00" <= character <= "\u9fff"
    )


NEVER = re.compile(r"(?!)")


@basic.whole_mistake(
    "A special token that is typed into the text is cut into words: [MASK] becomes three tokens.",
    hint="Where must the special tokens be found: before the text is cut, or after?",
)
def special_cut(text: str, lowercase: bool = True) -> list[str]:
    return variant(text, lowercase, special=NEVER)


@basic.whole_mistake(
    "Special tokens are put into lower case.",
    hint="The vocabulary knows [MASK], not [mask]. Which parts of the text must be left as they are?",
)
def special_lowered(text: str, lowercase: bool = True) -> list[str]:
    tokens = right.basic_tokenize(text, lowercase)
    return [token.lower() if lowercase and token in SPECIAL_TOKENS else token for token in tokens]


@basic.whole_mistake(
    "Special tokens vanish.",
    hint="Splitting at a pattern throws away what it matched, unless the pattern keeps it in a group.",
)
def special_lost(text: str, lowercase: bool = True) -> list[str]:
    return [token for token in right.basic_tokenize(text, lowercase) if token not in SPECIAL_TOKENS]


@basic.whole_mistake(
    "A special token is known only where spaces stand around it.",
    hint="Nobody types a space before the full stop: try 'It is [MASK].'",
)
def special_between_spaces(text: str, lowercase: bool = True) -> list[str]:
    pattern = re.compile(rf"(?<!\S){SPECIAL_TOKEN_PATTERN.pattern}(?!\S)")
    return variant(text, lowercase, special=pattern)


@basic.whole_mistake(
    "[mask] in small letters is taken for the special token.",
    hint="Only one spelling counts. What happens to the case first?",
)
def special_in_any_case(text: str, lowercase: bool = True) -> list[str]:
    pattern = re.compile(SPECIAL_TOKEN_PATTERN.pattern, re.IGNORECASE)
    return [t.upper() if t.upper() in SPECIAL_TOKENS else t for t in variant(text, lowercase, special=pattern)]


@basic.whole_mistake(
    "Of the special tokens, only [MASK] is kept whole.",
    hint="There are five of them. See SPECIAL_TOKENS.",
)
def only_mask(text: str, lowercase: bool = True) -> list[str]:
    return variant(text, lowercase, special=re.compile(r"(\[MASK\])"))


@basic.whole_mistake(
    "Every word in brackets is taken for a special token.",
    hint="A text may say [SIC]. Is that in SPECIAL_TOKENS?",
)
def any_bracket(text: str, lowercase: bool = True) -> list[str]:
    parts = re.split(r"(\[[A-Z]+\])", text)
    return [
        token
        for part in parts
        for token in ([part] if re.fullmatch(r"\[[A-Z]+\]", part) else right.basic_tokenize(part, lowercase))
    ]
