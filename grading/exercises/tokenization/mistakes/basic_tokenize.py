"""Known mistakes in basic_tokenize."""

from __future__ import annotations

from grading.exercises.tokenization.checks import basic

PARTS = "SPECIAL_TOKEN_PATTERN.split(text)"
KEPT = "tokens.append(part)"
NO_CONTROL = " if not is_control(character)"
DECOMPOSED = 'unicodedata.normalize("NFD", visible.lower())'
SPACE = "is_space(character)"
MARK = "is_punctuation(character) or "
CHINESE = "is_cjk(character)"
ACCENT = "lowercase and is_accent(character)"
ACCENTS_OFF = f"elif not ({ACCENT}):"
# Splits at Python's white space, which is more than BERT's.
SPLIT = "spaced.split()"
SPLIT_AT_SPACES = '[token for token in spaced.split(" ") if token]'

basic.mistake(
    "only_spaces",
    "The text is split at spaces only; tabs and line ends stay inside words.",
    hint="A text has more than one kind of white space. Which function of this chapter knows them all?",
    change={NO_CONTROL: "", SPACE: 'character == " "', SPLIT: SPLIT_AT_SPACES},
)
basic.mistake(
    "tabs_vanish",
    "Tabs and line ends are removed as control characters, so the words around them become one.",
    hint="To Unicode, a tab is a control character. Which question must come first?",
    change={r' and character not in "\t\n\r"': ""},
)
basic.mistake(
    "only_ascii_space",
    "Only ASCII white space ends a word; a no-break space does not.",
    hint="Try a text with '\\u00a0'. What does is_space return for it?",
    change={SPACE: r'character in " \t\n\r"', SPLIT: SPLIT_AT_SPACES},
)
basic.mistake(
    "empty_tokens",
    "White space leaves empty tokens behind.",
    hint="What does 'a  b'.split(' ') give, with two spaces between the letters?",
    instead="""
        def basic_tokenize(text, lowercase=True):
            spaced = "".join(" " if is_space(character) else character for character in text)
            return [token for word in spaced.split(" ") for token in right.basic_tokenize(word, lowercase) or [""]]
    """,
)
basic.mistake(
    "punctuation_dropped",
    "Punctuation is dropped; it should become tokens.",
    hint="How many tokens has 'Yes!'? A question mark means something, too.",
    change={'f" {character} "': '" " if is_punctuation(character) else f" {character} "'},
)
basic.mistake(
    "punctuation_kept",
    "Punctuation is not split off: it stays with the word that it touches.",
    hint="What must stand on both sides of a mark so that it becomes a token?",
    change={MARK: ""},
)
basic.mistake(
    "runs_of_punctuation",
    "Several marks in a row stay together, as in '...'.",
    hint="Each mark is a token of its own, even beside another one.",
    change={MARK: "", SPLIT: r'run for word in spaced.split() for run in re.findall(r"[^\W_]+|[\W_]+", word)'},
)
basic.mistake(
    "punctuation_at_ends",
    "Punctuation is split off at the ends of words only, not inside them.",
    hint='How many tokens has "don\'t"?',
    change={
        MARK: "",
        f"tokens.extend({SPLIT})": """
            for word in spaced.split():
                start, end = 0, len(word)
                while start < end and is_punctuation(word[start]):
                    start += 1
                while end > start and is_punctuation(word[end - 1]):
                    end -= 1
                tokens += [*word[:start], *word[start:end].split(), *word[end:]]
        """,
    },
)
basic.mistake(
    "only_ascii_punctuation",
    "Only ASCII punctuation is split off; marks such as “ and … stay with their words.",
    hint="string.punctuation has 32 marks. Unicode has hundreds.",
    change={' or unicodedata.category(character).startswith("P")': ""},
)
basic.mistake(
    "symbols_kept",
    "ASCII symbols such as $ and + are not split off.",
    hint="To Unicode they are symbols, not punctuation. What are they to BERT?",
    change={"is_ascii_symbol or ": ""},
)
basic.mistake(
    "never_lower",
    "The text is not lowercased.",
    hint="A lowercase vocabulary does not contain 'The'. What does lowercase=True ask for?",
    change={"visible.lower()": "visible"},
)
basic.mistake(
    "accents_kept",
    "Accents are not removed.",
    hint="In form NFD, é is two characters. What are they?",
    change={DECOMPOSED: "visible.lower()", ACCENTS_OFF: "else:"},
)
basic.mistake(
    "accents_apart",
    "Accents are separated from their letters, but not removed.",
    hint="Normalising makes an accent a character of its own. Which function finds it?",
    change={ACCENTS_OFF: "else:"},
)
basic.mistake(
    "no_decomposition",
    "Only accents that are characters of their own are removed; é as one character keeps its accent.",
    hint="Unicode has two ways to write é. What turns both into the same?",
    change={DECOMPOSED: "visible.lower()"},
)
basic.mistake(
    "letters_dropped",
    "Letters are dropped together with their accents: café becomes caf.",
    hint="Separate the accent from its letter before you remove anything.",
    change={
        DECOMPOSED: "visible.lower()",
        "is_accent(character)": '(is_accent(character) or unicodedata.normalize("NFD", character) != character)',
    },
)
basic.mistake(
    "only_ascii",
    "Letters that are not ASCII, such as ß and σ, are dropped.",
    hint="Encoding as ASCII removes more than accents. What exactly should go?",
    change={"is_accent(character)": "(is_accent(character) or (character.isalpha() and not character.isascii()))"},
)
basic.mistake(
    "compatibility_form",
    "The text is normalised to NFKD, which replaces letters, too: ﬁ becomes fi.",
    hint="There are four normal forms. Which of them only separates accents from letters?",
    change={'"NFD"': '"NFKD"'},
)
basic.mistake(
    "case_folded",
    "casefold is used instead of lower: ß becomes ss.",
    hint="casefold makes texts comparable; it does more than lowercase.",
    change={"visible.lower()": "visible.casefold()"},
)
basic.mistake(
    "always_lower",
    "lowercase is ignored: the text always loses its capitals and its accents.",
    hint="What must be different if lowercase is False?",
    change={f"{DECOMPOSED} if lowercase else visible": DECOMPOSED, ACCENT: "is_accent(character)"},
)
basic.mistake(
    "accents_always_taken_off",
    "Accents are removed even if lowercase is False.",
    hint="A cased vocabulary has its accents, too. What does lowercase decide?",
    change={
        "visible.lower()) if lowercase else visible": "visible.lower() if lowercase else visible)",
        ACCENT: "is_accent(character)",
    },
)
basic.mistake(
    "always_decomposed",
    "The text is normalised even if lowercase is False: é becomes e and an accent after it.",
    hint="They look the same in print. Compare the lengths.",
    change={"else visible": 'else unicodedata.normalize("NFD", visible)'},
)
basic.mistake(
    "controls_kept",
    "Control characters are not removed.",
    hint="Try 'co\\u00adoperate'. You do not see the soft hyphen, but a vocabulary would.",
    change={NO_CONTROL: "", SPLIT: SPLIT_AT_SPACES},
)
basic.mistake(
    "controls_as_spaces",
    "Control characters split words; they should vanish without a gap.",
    hint="A soft hyphen stands inside a word. How many words are there when it is gone?",
    change={NO_CONTROL: "", SPACE: f"{SPACE} or is_control(character)"},
)
basic.mistake(
    "python_space",
    "str.split runs before control characters are removed, and treats some of them as white space.",
    hint="What does 'a\\x0bb'.split() give, and what does is_space return for that character?",
    change={"in part if": 'in " ".join(part.split()) if'},
)
basic.mistake(
    "chinese_together",
    "Chinese characters are not separated: a whole sentence is one word.",
    hint="There are no spaces in Chinese. Which function finds its characters?",
    change={f" or {CHINESE}": ""},
)
basic.mistake(
    "kana_alone",
    "Japanese kana are separated like Chinese characters.",
    hint="Not everything that looks Chinese is. What does is_cjk return?",
    change={CHINESE: rf'{CHINESE} or "\u3040" <= character <= "\u30ff"'},
)
basic.mistake(
    "one_block",
    "Only the block of frequent Chinese characters counts as Chinese; rare ones stay joined to their neighbours.",
    hint="Unicode has eight blocks of Chinese characters. Which function knows them all?",
    change={CHINESE: r'"\u4e00" <= character <= "\u9fff"'},
)
basic.mistake(
    "special_cut",
    "A special token in the text is split: [MASK] becomes three tokens.",
    hint="When must special tokens be found: before the text is split, or after?",
    change={PARTS: "[text]"},
)
basic.mistake(
    "special_lowered",
    "Special tokens are lowercased.",
    hint="The vocabulary knows [MASK], not [mask]. Which parts of the text must stay as they are?",
    change={KEPT: "tokens.append(part.lower() if lowercase else part)"},
)
basic.mistake(
    "special_lost",
    "Special tokens vanish.",
    hint="Splitting at a pattern drops what it matches, unless the pattern captures it in a group.",
    change={KEPT: ""},
)
basic.mistake(
    "special_between_spaces",
    "A special token is cut into pieces where a letter or a digit touches it.",
    hint="Texts may have no space before or after it: try 'un[MASK]able' and '[MASK]s'.",
    change={PARTS: r're.split(rf"(?<!\S){SPECIAL_TOKEN_PATTERN.pattern}(?!\S)", text)'},
)
basic.mistake(
    "special_in_any_case",
    "[mask] in lower case counts as the special token.",
    hint="Only one spelling counts. What happens to the case before you look?",
    change={
        PARTS: "re.split(SPECIAL_TOKEN_PATTERN.pattern, text, flags=re.IGNORECASE)",
        "part in SPECIAL_TOKENS": "part.upper() in SPECIAL_TOKENS",
        KEPT: "tokens.append(part.upper())",
    },
)
basic.mistake(
    "only_mask",
    "Of the special tokens, only [MASK] is kept whole.",
    hint="There are five of them. See SPECIAL_TOKENS.",
    change={PARTS: r're.split(r"(\[MASK\])", text)'},
)
basic.mistake(
    "any_bracket",
    "Every word in brackets counts as a special token.",
    hint="A text may say [SIC]. Is that in SPECIAL_TOKENS?",
    change={PARTS: r're.split(r"(\[[A-Z]+\])", text)', "part in SPECIAL_TOKENS": r're.fullmatch(r"\[[A-Z]+\]", part)'},
)
basic.mistake(
    "separators_kept",
    "Unicode's own ends of lines and paragraphs do not end words.",
    hint="Try a text with '\\u2028'. Which three categories does is_space know?",
    change={SPACE: r'(unicodedata.category(character) == "Zs" or character in "\t\n\r")', SPLIT: SPLIT_AT_SPACES},
)
basic.mistake(
    "every_mark_an_accent",
    "All of Unicode's marks are removed, and not only the accents among them.",
    hint="The categories of marks are Mn, Mc and Me. Which of them is an accent to is_accent?",
    change={"is_accent(character)": 'unicodedata.category(character).startswith("M")'},
)
basic.mistake(
    "every_other_removed",
    "Characters for private use are removed as if they were control characters.",
    hint="Not every category that begins with C is one of control characters. Which of them does is_control know?",
    change={NO_CONTROL: ' if not is_control(character) and unicodedata.category(character) != "Co"'},
)
basic.mistake(
    "hangul_alone",
    "Korean syllables are separated like Chinese characters.",
    hint="There are spaces in Korean. What does is_cjk return?",
    change={CHINESE: rf'{CHINESE} or "\uac00" <= character <= "\ud7a3"'},
)
basic.mistake(
    "special_with_spaces",
    "[ MASK ], with spaces inside, counts as the special token.",
    hint="Only one spelling counts. Do you look for special tokens in the text, or among the tokens made of it?",
    change={
        PARTS: r're.split(r"(\[ *(?:PAD|UNK|CLS|SEP|MASK) *\])", text)',
        "part in SPECIAL_TOKENS": r're.fullmatch(r"\[ *[A-Z]+ *\]", part)',
        KEPT: 'tokens.append(part.replace(" ", ""))',
    },
)
basic.mistake(
    "special_without_accent",
    "Accents are removed before special tokens are found, so [MÁSK] counts as one.",
    hint="Only one spelling counts. What must happen to the text first?",
    change={
        PARTS: """SPECIAL_TOKEN_PATTERN.split(
            "".join(c for c in unicodedata.normalize("NFD", text) if not is_accent(c)) if lowercase else text
        )"""
    },
)
