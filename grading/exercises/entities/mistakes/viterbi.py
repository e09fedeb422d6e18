"""What goes wrong in viterbi."""

from __future__ import annotations

from grading.exercises.entities.checks import paths

GIVEN = "require_paths(scores, transitions, start)"
FIRST_WORD = "start + scores[0]"
STEP = "best[:, None] + transitions"
CAME_FROM = "sums.argmax(axis=0)"
BEST_WAY = "sums.max(axis=0)"
NEXT_WORD = f"{BEST_WAY} + of_word"
PATH = "path[::-1]"

paths.mistake(
    "likeliest_tags",
    "Each word has its likeliest tag, whatever stands beside it.",
    hint="Transitions and start do not occur in it. What is best alone need not be best together.",
    change={PATH: "scores.argmax(axis=-1)"},
)
paths.mistake(
    "step_by_step",
    "From each word it goes on to what is best next, and never takes a step back.",
    hint="That is greedy. A good first step may lead to where all is bad: keep the best way to *each* tag.",
    instead="""
        def viterbi(scores, transitions, start):
            scores, transitions, start = require_paths(scores, transitions, start)
            path = [np.argmax(start + scores[0])]
            for of_word in scores[1:]:
                path.append(np.argmax(transitions[path[-1]] + of_word))
            return np.array(path, "int32")
    """,
)
paths.mistake(
    "transposed",
    "Transitions are read from the column to the row.",
    hint="transitions[i, j] is what a step from i to j is worth. Over which axis is the best tag before to be found?",
    change={STEP: f"{STEP}.T"},
)
paths.mistake(
    "start_left_out",
    "What it is worth to begin with a tag is left out.",
    hint="The third argument says with which tag a sentence may begin.",
    change={FIRST_WORD: "scores[0]"},
)
paths.mistake(
    "start_everywhere",
    "What it is worth to begin with a tag is added at each word.",
    hint="A sentence begins once.",
    change={NEXT_WORD: f"{NEXT_WORD} + start"},
)
paths.mistake(
    "backwards",
    "The path comes out from its end to its beginning.",
    hint="It is read from the last word backwards. What is to be done before it is returned?",
    change={PATH: "path"},
)
paths.mistake(
    "last_word_left_out",
    "The scores of the last word are not added before the best end is chosen.",
    hint="The best way to a tag at a word contains that word's own score.",
    change={
        FIRST_WORD: "start",
        "scores[1:]": "scores[:-1]",
        STEP: "(best + of_word)[:, None] + transitions",
        NEXT_WORD: BEST_WAY,
    },
)
paths.mistake(
    "first_word_twice",
    "The scores of the first word are added twice.",
    hint="Before the loop they are in the sum already. With which word does the loop begin?",
    change={FIRST_WORD: "start + 2 * scores[0]"},
)
paths.mistake(
    "forbidden_is_free",
    "What is forbidden is free: -inf has become 0.",
    hint="0 adds nothing, so it allows everything. What is left of -inf when it is added?",
    change={GIVEN: f"(np.nan_to_num(each, neginf=0.0) for each in {GIVEN})"},
)
paths.mistake(
    "forbidden_is_cheap",
    "What is forbidden costs only 1, so good scores buy it.",
    hint="Forbidden is forbidden, however good the rest is. Keep -inf.",
    change={FIRST_WORD: "np.maximum(start, -1.0) + scores[0]", STEP: "best[:, None] + np.maximum(transitions, -1.0)"},
)
paths.mistake(
    "probabilities_added",
    "Scores become probabilities, and these are added.",
    hint="Logarithms are added, probabilities multiplied. The scores are logarithms already.",
    change={
        f"scores, transitions, start = {GIVEN}": f"""
            with np.errstate(over="ignore"):
                scores = np.exp(scores)
            scores, transitions, start = {GIVEN}
        """
    },
)
paths.mistake(
    "sums_of_ways",
    "The sum over all ways to a tag is taken, instead of the best of them.",
    hint="That is the forward algorithm, which says how likely a tag is. Which one way is the best?",
    change={BEST_WAY: "np.logaddexp.reduce(sums, axis=0)"},
)
paths.mistake(
    "best_so_far",
    "At each word the tag with the best way to it is taken, instead of the way that leads to the best end.",
    hint="The best way to word 3 need not be a part of the best way to the end. Remember from where each way came.",
    change={CAME_FROM: "best.argmax()", "before[path[-1]]": "before"},
)
