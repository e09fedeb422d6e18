// Text to pieces, by the rules of course/tokenization.py.
"use strict";

const Wordpiece = (() => {
  const SPECIAL = /(\[PAD\]|\[UNK\]|\[CLS\]|\[SEP\]|\[MASK\])/;
  const SPACE = /^[\t\n\r\p{Zs}\p{Zl}\p{Zp}]$/u;
  const CONTROL = /^[\ufffd\p{Cc}\p{Cf}]$/u; // those that are no space
  const PUNCTUATION = /^[!-/:-@[-`{-~\p{P}]$/u;
  const ACCENT = /^\p{Mn}$/u;
  const CHINESE = new RegExp(
    "^[\\u4e00-\\u9fff\\u3400-\\u4dbf\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2b73f}\\u{2b740}-\\u{2b81f}" +
      "\\u{2b820}-\\u{2ceaf}\\uf900-\\ufaff\\u{2f800}-\\u{2fa1f}]$",
    "u",
  );
  const MAX_CHARACTERS = 100;

  // Words and marks of punctuation; a special token stays whole.
  function words(text, lowercase) {
    return text.split(SPECIAL).flatMap((part) => (SPECIAL.test(part) ? [part] : plainWords(part, lowercase)));
  }

  function plainWords(text, lowercase) {
    let spaced = "";
    const visible = [...text].filter((character) => "\t\n\r".includes(character) || !CONTROL.test(character)).join("");
    for (const character of lowercase ? visible.toLowerCase().normalize("NFD") : visible) {
      if (SPACE.test(character)) spaced += " ";
      else if (PUNCTUATION.test(character) || CHINESE.test(character)) spaced += ` ${character} `;
      else if (!(lowercase && ACCENT.test(character))) spaced += character;
    }
    return spaced.split(" ").filter((word) => word);
  }

  // The longest pieces that the vocabulary has, from left to right; [UNK] where one is missing.
  function pieces(word, ids) {
    const characters = Array.from(word);
    if (characters.length > MAX_CHARACTERS) return ["[UNK]"];
    const found = [];
    for (let start = 0; start < characters.length; ) {
      let end = characters.length;
      const piece = () => (start ? "##" : "") + characters.slice(start, end).join("");
      while (end > start && !ids.has(piece())) end -= 1;
      if (end === start) return ["[UNK]"];
      found.push(piece());
      start = end;
    }
    return found;
  }

  return { tokenize: (text, ids, lowercase) => words(text, lowercase).flatMap((word) => pieces(word, ids)) };
})();
