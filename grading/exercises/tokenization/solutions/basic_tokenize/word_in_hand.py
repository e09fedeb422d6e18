"""One pass over the characters collects the current word; special tokens are found on the way."""

import unicodedata

from course.tokenization import SPECIAL_TOKENS, is_accent, is_cjk, is_control, is_punctuation, is_space


def basic_tokenize(text, lowercase=True):
    tokens = []
    word = ""
    i = 0
    while i < len(text):
        special = [token for token in SPECIAL_TOKENS if text.startswith(token, i)]
        character = text[i]
        if special:
            if word:
                tokens.append(word)
            tokens.append(special[0])
            word = ""
            i += len(special[0])
            continue
        i += 1
        if is_space(character):
            if word:
                tokens.append(word)
            word = ""
        elif is_punctuation(character) or is_cjk(character):
            if word:
                tokens.append(word)
            tokens.append(character)
            word = ""
        elif is_control(character):
            pass
        elif lowercase:
            for part in unicodedata.normalize("NFD", character.lower()):
                if not is_accent(part):
                    word += part
        else:
            word += character
    if word:
        tokens.append(word)
    return tokens
