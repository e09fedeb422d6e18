"""What goes wrong in wordpiece_tokenize."""

from __future__ import annotations

from grading.exercises.tokenization.checks import wordpiece

PREFIX = 'CONTINUATION if start else ""'
FOUND = "pieces.append(piece)"
TOO_LONG = "if len(word) > max_chars:\n    return [unknown]"
NOTHING_FITS = "else:\n    return [unknown]"

wordpiece.mistake(
    "shortest_first",
    "The shortest piece is taken each time; it should be the longest.",
    hint="From which end must you try: the whole rest of the word, or its first letter?",
    change={"range(len(word), start, -1)": "range(start + 1, len(word) + 1)"},
)
wordpiece.mistake(
    "no_continuation",
    "## is forgotten: pieces inside a word are looked up as if they began it.",
    hint="The vocabulary has 'able' and '##able'. Which of them can end a word?",
    change={PREFIX: '""'},
)
wordpiece.mistake(
    "continuation_taken_off",
    "Pieces inside a word are returned without their ##.",
    hint="Each piece must be in the vocabulary as you return it, or its id cannot be found.",
    change={FOUND: "pieces.append(word[start:end])"},
)
wordpiece.mistake(
    "continuation_put_on",
    "Pieces inside a word are looked up without ##, which is put before them afterwards.",
    hint="Is what you return in the vocabulary?",
    change={"piece = prefix + word[start:end]": "piece = word[start:end]", FOUND: "pieces.append(prefix + piece)"},
)
wordpiece.mistake(
    "continuation_everywhere",
    "The first piece is looked up with ##, too.",
    hint="## says that a piece goes on inside a word. Does the first one?",
    change={PREFIX: "CONTINUATION"},
)
wordpiece.mistake(
    "right_to_left",
    "The word is cut from right to left.",
    hint="The first piece is the longest start of the word, not the last one its longest end.",
    instead="""
        def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_chars=100):
            if len(word) > max_chars:
                return [unknown]
            pieces = []
            end = len(word)
            while end:
                for start in range(end):
                    piece = (CONTINUATION if start else "") + word[start:end]
                    if piece in vocabulary:
                        break
                else:
                    return [unknown]
                pieces.insert(0, piece)
                end = start
            return pieces
    """,
)
wordpiece.mistake(
    "goes_back",
    "Where no piece fits, it goes back and tries a shorter one before; the longest is final.",
    hint="Longest match is greedy. What if its choice leads nowhere?",
    instead="""
        def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_chars=100):
            def cut(start):
                if start == len(word):
                    return []
                for end in range(len(word), start, -1):
                    piece = (CONTINUATION if start else "") + word[start:end]
                    rest = cut(end) if piece in vocabulary else None
                    if rest is not None:
                        return [piece, *rest]
                return None

            pieces = None if len(word) > max_chars else cut(0)
            return [unknown] if pieces is None else pieces
    """,
)
wordpiece.mistake(
    "known_pieces_kept",
    "A word with an unknown part keeps its known pieces, and [UNK] stands for the rest.",
    hint="Half a word misleads. What should be returned when no piece fits, whatever was found before?",
    change={NOTHING_FITS: "else:\n    return [*pieces, unknown]"},
)
wordpiece.mistake(
    "rest_lost",
    "A word with an unknown part keeps its known pieces, and the rest is lost without a sign.",
    hint="What does the loop do when no piece fits? Something must tell the model that there was more.",
    change={NOTHING_FITS: "else:\n    return pieces"},
)
wordpiece.mistake(
    "unknown_characters",
    "A character that no piece fits becomes [UNK], and the cutting goes on behind it.",
    hint="One unknown part makes the whole word unknown.",
    change={NOTHING_FITS: "else:\n    piece, end = unknown, start + 1"},
)
wordpiece.mistake(
    "no_limit",
    "max_chars is ignored: words of any length are cut.",
    hint="What is a word of 10,000 characters? Where does the function ask for its length?",
    change={TOO_LONG: ""},
)
wordpiece.mistake(
    "limit_one_too_low",
    "A word of exactly max_chars characters is called unknown, too.",
    hint="A word is too long when it has more than max_chars. Is it > or >=?",
    change={"> max_chars": ">= max_chars"},
)
wordpiece.mistake(
    "limit_of_one_hundred",
    "The limit is always 100 characters, whatever max_chars says.",
    hint="100 is only the default. Which name holds what the caller wants?",
    change={"> max_chars": "> 100"},
)
wordpiece.mistake(
    "long_word_cut_short",
    "A word that is too long is cut short and then tokenised.",
    hint="A part of a long word is not the word. What stands for a word that cannot be cut?",
    change={TOO_LONG: "word = word[:max_chars]"},
)
wordpiece.mistake(
    "always_unk",
    "unknown is ignored: [UNK] is always returned.",
    hint="Other vocabularies have other signs. Which argument says so?",
    change={one: one.replace("unknown", '"[UNK]"') for one in (TOO_LONG, NOTHING_FITS)},
)
wordpiece.mistake(
    "empty_is_unknown",
    "An empty word is called unknown.",
    hint="Nothing is left of an empty word before it is cut. How many pieces is that?",
    change={"return pieces": "return pieces or [unknown]"},
)
wordpiece.mistake(
    "unknown_as_text",
    "An unknown word is returned as a text instead of a list.",
    hint="Whoever calls the function goes through its pieces one by one. What are those of '[UNK]'?",
    change={one: one.replace("[unknown]", "unknown") for one in (TOO_LONG, NOTHING_FITS)},
)
wordpiece.mistake(
    "ids_returned",
    "The ids of the pieces are returned; the pieces themselves are wanted.",
    hint="Ids come in a later step, from the vocabulary. Look at the example in the docstring.",
    change={
        TOO_LONG: 'if len(word) > max_chars:\n    return [vocabulary["[UNK]"]]',
        NOTHING_FITS: 'else:\n    return [vocabulary["[UNK]"]]',
        "return pieces": 'return [vocabulary.get(piece, vocabulary["[UNK]"]) for piece in pieces]',
    },
)
