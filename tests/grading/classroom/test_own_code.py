"""A page shows what a student wrote for an exercise, and nothing that a reader cannot see."""

from __future__ import annotations

from grading.classroom.own_code import own_code

SOURCE = """from keras import ops

# Mine.
SCALE = 2

def padding_mask(x):
    return x

@decorated
def split_heads(x):
\t\"\"\"Cuts heads.

\tReturns:
\t    heads.
\t\"\"\"
\treturn padding_mask(x) * SCALE  # because
"""


def test_imports_and_other_exercises_are_left_out_and_comments_stay() -> None:
    assert own_code(SOURCE, {"padding_mask"}).split("\n") == [
        "# Mine.",
        "SCALE = 2",
        "",
        "@decorated",
        "def split_heads(x):",
        '    """Cuts heads. ..."""',
        "    return padding_mask(x) * SCALE  # because",
    ]
    assert own_code(SOURCE.replace("\n", "\r"), {"padding_mask"}) == own_code(SOURCE, {"padding_mask"})
    assert own_code("def f(:", ()) == own_code("", ()) == ""


def test_code_behind_a_docstring_is_shown() -> None:
    source = 'def f(x):\n    """Says.\n\n    Ünd.\n    """; return _answer(x); """"""\n    return x\n'
    assert own_code(source, ()) == source.strip()
    assert own_code(source.replace('; return _answer(x); """"""', ""), ()) == (
        'def f(x):\n    """Says. ..."""\n    return x'
    )


def test_invisible_characters_are_shown_and_long_code_is_cut() -> None:
    assert own_code("x = '\x1b[2J\u202e\x9b'", ()) == r"x = '\x1b[2J\u202e\x9b'"
    assert own_code("x = 1\n" * 10_000, ()).endswith("x = 1\n... and 47,999 characters more")
