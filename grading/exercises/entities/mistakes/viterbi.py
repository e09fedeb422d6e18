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
    "Each word gets its own likeliest tag, whatever its neighbours have.",
    hint="Your code uses neither transitions nor start. The best single tags need not be the best path.",
    change={PATH: "scores.argmax(axis=-1)"},
)
paths.mistake(
    "step_by_step",
    "Each word takes the best next tag, and never revises an earlier choice.",
    hint="That is greedy. A good first step may lead into a dead end: store the best path to *each* tag.",
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
    "Transitions are read from column to row.",
    hint="transitions[i, j] is the score of a step from i to j. Over which axis do you search for the tag before?",
    change={STEP: f"{STEP}.T"},
)
paths.mistake(
    "start_left_out",
    "The start scores are left out.",
    hint="The third argument scores the first tag of a sentence.",
    change={FIRST_WORD: "scores[0]"},
)
paths.mistake(
    "start_everywhere",
    "The start scores are added at each word.",
    hint="A sentence begins once.",
    change={NEXT_WORD: f"{NEXT_WORD} + start"},
)
paths.mistake(
    "backwards",
    "The path is returned in reverse order.",
    hint="The path is traced back from the last word. What must happen before it is returned?",
    change={PATH: "path"},
)
paths.mistake(
    "last_word_left_out",
    "The best end is chosen before the scores of the last word are added.",
    hint="The best path to a tag includes the score of that word.",
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
    hint="Before the loop, the sum already contains them. At which word does the loop begin?",
    change={FIRST_WORD: "start + 2 * scores[0]"},
)
paths.mistake(
    "forbidden_is_free",
    "-inf becomes 0, so forbidden steps are free.",
    hint="Adding 0 allows everything. What does adding -inf do?",
    change={GIVEN: f"(np.nan_to_num(each, neginf=0.0) for each in {GIVEN})"},
)
paths.mistake(
    "forbidden_is_cheap",
    "A forbidden step costs only 1, so good scores can outweigh it.",
    hint="No score may outweigh a forbidden step. Keep -inf.",
    change={FIRST_WORD: "np.maximum(start, -1.0) + scores[0]", STEP: "best[:, None] + np.maximum(transitions, -1.0)"},
)
paths.mistake(
    "probabilities_added",
    "Scores are turned into probabilities, which are then added.",
    hint="Logarithms are added, probabilities multiplied. The scores are already logarithms.",
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
    "The code sums over all paths to a tag instead of taking the best.",
    hint="That is the forward algorithm, which gives the probability of a tag. Which single path is the best?",
    change={BEST_WAY: "np.logaddexp.reduce(sums, axis=0)"},
)
paths.mistake(
    "best_so_far",
    "Each word takes the tag with the best path so far, instead of the tag on the path to the best end.",
    hint="The best path to word 3 need not be part of the best path overall. Store which tag each path came from.",
    change={CAME_FROM: "best.argmax()", "before[path[-1]]": "before"},
)
paths.mistake(
    "came_from_in_a_byte",
    "Where each tag came from is kept in int8, which has no number above 127.",
    hint="How many tags may there be? Which integers hold all of their numbers?",
    change={CAME_FROM: f'{CAME_FROM}.astype("int8")'},
)
paths.mistake(
    "forbidden_is_a_number",
    "-inf becomes a finite number, such as -10^9, which very large scores outweigh.",
    hint="No score may outweigh a forbidden step, however large it is. What is any number plus -inf?",
    change={FIRST_WORD: "np.maximum(start, -1e9) + scores[0]", STEP: "best[:, None] + np.maximum(transitions, -1e9)"},
)
