"""Like BERT's published code: clean, pad Chinese, lowercase each word, split each word at its marks."""

import unicodedata

from course.tokenization import SPECIAL_TOKENS, is_cjk, is_control, is_punctuation, is_space


def clean(text):
    output = []
    for char in text:
        if is_space(char):
            output.append(" ")
        elif is_cjk(char):
            output.extend([" ", char, " "])
        elif not is_control(char):
            output.append(char)
    return "".join(output)


def split_on_punctuation(word):
    output = [[]]
    for char in word:
        if is_punctuation(char):
            output.extend([[char], []])
        else:
            output[-1].append(char)
    return ["".join(part) for part in output if part]


def basic_tokenize(text, lowercase=True):
    for token in SPECIAL_TOKENS:
        text = text.replace(token, f" {token} ")
    output = []
    for part in text.split(" "):
        if part in SPECIAL_TOKENS:
            output.append(part)
            continue
        for word in clean(part).split(" "):
            if lowercase:
                word = unicodedata.normalize("NFD", word.lower())
                word = "".join(char for char in word if unicodedata.category(char) != "Mn")
            output.extend(split_on_punctuation(word))
    return output
