"""Known mistakes in wordpiece_tokenize."""

from __future__ import annotations

from grading.exercises.tokenization.checks import wordpiece

PREFIX = 'CONTINUATION if start else ""'
FOUND = "pieces.append(piece)"
TOO_LONG = "if len(word) > max_chars:\n    return [unknown]"
NOTHING_FITS = "else:\n    return [unknown]"

wordpiece.mistake(
    "shortest_first",
    "The shortest piece is taken each time; it should be the longest.",
    hint="Which piece must you try first: the whole rest of the word, or its first letter?",
    change={"range(len(word), start, -1)": "range(start + 1, len(word) + 1)"},
)
wordpiece.mistake(
    "no_continuation",
    "## is never added: pieces inside a word are looked up as if they began it.",
    hint="The vocabulary has 'able' and '##able'. Which of them can end a longer word?",
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
    "Pieces inside a word are looked up without ##, and get it only afterwards.",
    hint="Is what you return in the vocabulary?",
    change={"piece = prefix + word[start:end]": "piece = word[start:end]", FOUND: "pieces.append(prefix + piece)"},
)
wordpiece.mistake(
    "continuation_everywhere",
    "The first piece is also looked up with ##.",
    hint="## means that a piece continues a word. Does the first one?",
    change={PREFIX: "CONTINUATION"},
)
wordpiece.mistake(
    "right_to_left",
    "The word is split from right to left.",
    hint="The first piece is the longest start of the word. Does your code look for the longest end first?",
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
    "If no piece fits, the code goes back and tries a shorter piece before it; the longest must be final.",
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
    hint="Half a word misleads. What should the function return when no piece fits, whatever it found before?",
    change={NOTHING_FITS: "else:\n    return [*pieces, unknown]"},
)
wordpiece.mistake(
    "rest_lost",
    "A word with an unknown part keeps its known pieces, and the rest is silently lost.",
    hint="What does the loop do when no piece fits? Something must tell the model that there was more.",
    change={NOTHING_FITS: "else:\n    return pieces"},
)
wordpiece.mistake(
    "unknown_characters",
    "A character that no piece fits becomes [UNK], and the loop continues after it.",
    hint="One unknown part makes the whole word unknown.",
    change={NOTHING_FITS: "else:\n    piece, end = unknown, start + 1"},
)
wordpiece.mistake(
    "no_limit",
    "max_chars is ignored: words of any length are split.",
    hint="Is a string of 10,000 characters a word? Where does the function test the length?",
    change={TOO_LONG: ""},
)
wordpiece.mistake(
    "limit_one_too_low",
    "A word of exactly max_chars characters also becomes unknown.",
    hint="A word is too long when it has more than max_chars. Is it > or >=?",
    change={"> max_chars": ">= max_chars"},
)
wordpiece.mistake(
    "limit_of_one_hundred",
    "The limit is always 100 characters, whatever max_chars says.",
    hint="100 is only the default. Which name holds the caller's limit?",
    change={"> max_chars": "> 100"},
)
wordpiece.mistake(
    "long_word_cut_short",
    "A word that is too long is shortened and then tokenised.",
    hint="A part of a long word is not the word. What should the function return for a word that is too long?",
    change={TOO_LONG: "word = word[:max_chars]"},
)
wordpiece.mistake(
    "always_unk",
    "unknown is ignored: [UNK] is always returned.",
    hint="Other vocabularies have another token for unknown words. Which argument holds it?",
    change={one: one.replace("unknown", '"[UNK]"') for one in (TOO_LONG, NOTHING_FITS)},
)
wordpiece.mistake(
    "empty_is_unknown",
    "An empty word becomes unknown.",
    hint="An empty word has nothing to split. How many pieces is that?",
    change={"return pieces": "return pieces or [unknown]"},
)
wordpiece.mistake(
    "unknown_as_text",
    "For an unknown word, a string is returned instead of a list.",
    hint="Callers loop over the pieces. What does a loop over the string '[UNK]' give?",
    change={one: one.replace("[unknown]", "unknown") for one in (TOO_LONG, NOTHING_FITS)},
)
wordpiece.mistake(
    "ids_returned",
    "The ids of the pieces are returned instead of the pieces.",
    hint="A later step looks up the ids. Look at the example in the docstring.",
    change={
        TOO_LONG: 'if len(word) > max_chars:\n    return [vocabulary["[UNK]"]]',
        NOTHING_FITS: 'else:\n    return [vocabulary["[UNK]"]]',
        "return pieces": 'return [vocabulary.get(piece, vocabulary["[UNK]"]) for piece in pieces]',
    },
)
