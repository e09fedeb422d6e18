// The view of an encoder: tokens, the attention of every head as a map, one head as lines, and guesses for gaps.
// The reader's text is only ever inserted as text, never as HTML.
"use strict";

const Explorer = (() => {
  // All texts in one place, for translators.
  const WORDS = {
    sentence: "A sentence",
    hint: "Write [MASK] where a word is to be guessed.",
    empty: "Type a sentence, and the encoder reads it.",
    leftOut: (count, room) => `The encoder reads ${room} pieces. ${count} at the end are left out.`,
    read: (count) => `${count} tokens, with [CLS] and [SEP].`,
    guesses: "Guesses",
    guess: (place) => `For [MASK], token ${place + 1}:`,
    heads: "All heads",
    head: (layer, head) => `Layer ${layer + 1}, head ${head + 1}`,
    howHeads: "Each map is a head: a row for each token that asks, a column for each that it may attend to. Choose one.",
    howLines: "A line is as strong as the weight. Choose a token at the left to see its lines alone.",
    asks: "asks",
    asked: "is asked",
    attends: (token, list) => `${token} attends to ${list}.`,
    inWords: "This head in words",
    map: (name, tokens) => `Attention map of ${name}: ${tokens} rows and columns`,
  };
  const MOST_NAMED = 5;
  const MOST_SAID = 3;
  const ROW = 26; // pixels, as in view.css
  const [SMALL, LARGE] = [96, 480]; // pixels, of maps; the page shrinks them to their place
  const MAP = "#3584c8"; // visible on light and dark backgrounds

  function make(tag, attributes = {}, ...children) {
    const isDrawn = tag === "svg" || tag === "line";
    const one = document.createElementNS(`http://www.w3.org/${isDrawn ? "2000/svg" : "1999/xhtml"}`, tag);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    one.append(...children);
    return one;
  }

  const inPercent = (weight) => `${(100 * weight).toFixed(weight < 0.1 ? 1 : 0)}%`;

  // The tokens that a token attends to most, and how much.
  function attendsTo(view, query) {
    const { tokens, weights } = view;
    const row = weights.subarray(query * tokens.length, (query + 1) * tokens.length);
    const best = [...row.keys()].sort((one, other) => row[other] - row[one]).slice(0, MOST_NAMED);
    return WORDS.attends(tokens[query], best.map((key) => `${tokens[key]} ${inPercent(row[key])}`).join(", "));
  }

  function draw(canvas, weights, length, size) {
    const cell = Math.ceil(size / length);
    canvas.width = canvas.height = cell * length;
    const context = canvas.getContext("2d");
    context.fillStyle = MAP;
    weights.forEach((weight, place) => {
      context.globalAlpha = Math.sqrt(weight); // makes small weights visible, too
      context.fillRect((place % length) * cell, Math.floor(place / length) * cell, cell, cell);
    });
  }

  function drawLines(svg, { tokens, weights, query }) {
    const height = tokens.length * ROW;
    svg.setAttribute("viewBox", `0 0 100 ${height}`);
    svg.style.height = `${height}px`;
    const lines = [];
    weights.forEach((weight, place) => {
      const [from, to] = [Math.floor(place / tokens.length), place % tokens.length];
      if (weight < 0.02 || (query !== null && from !== query)) return;
      const ends = { x1: 0, y1: (from + 0.5) * ROW, x2: 100, y2: (to + 0.5) * ROW };
      lines.push(make("line", { ...ends, "stroke-opacity": weight.toFixed(3) }));
    });
    svg.replaceChildren(...lines);
  }

  // One head, as lines between words, as a map, and in words.
  class Head {
    constructor(place) {
      this.title = make("h2");
      this.asking = make("ol", { class: "explorer-tokens", "aria-label": WORDS.asks });
      this.asked = make("ol", { class: "explorer-tokens", "aria-label": WORDS.asked });
      this.lines = make("svg", { class: "explorer-lines", preserveAspectRatio: "none", "aria-hidden": "true" });
      this.map = make("canvas", { role: "img" });
      this.chosen = make("p", { "aria-live": "polite", class: "explorer-chosen" });
      this.words = make("ul");
      place.append(
        this.title,
        make("p", {}, WORDS.howLines),
        this.chosen,
        make(
          "div",
          { class: "explorer-head" },
          make("div", { class: "explorer-words" }, this.asking, this.lines, this.asked),
          this.map,
        ),
        make("details", {}, make("summary", {}, WORDS.inWords), this.words),
      );
    }

    show(view) {
      this.view = view;
      this.title.textContent = view.name;
      draw(this.map, view.weights, view.tokens.length, LARGE);
      this.map.setAttribute("aria-label", WORDS.map(view.name, view.tokens.length));
      this.asking.replaceChildren(...view.tokens.map((token, place) => make("li", {}, this.button(token, place))));
      this.asked.replaceChildren(...view.tokens.map((token) => make("li", {}, token)));
      this.words.replaceChildren(...view.tokens.map((_, place) => make("li", {}, attendsTo(view, place))));
      this.choose(view.query);
    }

    button(token, place) {
      const button = make("button", { type: "button" }, token);
      button.addEventListener("click", () => this.choose(this.view.query === place ? null : place));
      return button;
    }

    choose(query) {
      this.view.query = query;
      for (const [place, button] of [...this.asking.querySelectorAll("button")].entries()) {
        button.setAttribute("aria-pressed", String(place === query));
      }
      this.chosen.textContent = query === null ? "" : attendsTo(this.view, query);
      drawLines(this.lines, this.view);
    }
  }

  function makeInput(text) {
    const input = make("input", { type: "text", id: "explorer-text", autocomplete: "off", spellcheck: "false" });
    input.value = text;
    return [make("label", { for: "explorer-text" }, WORDS.sentence), input];
  }

  class View {
    constructor(place, encoder, text) {
      this.encoder = encoder;
      this.layer = this.head = 0;
      // Those of the page stay: an input keeps its focus and a word half typed, and a screen reader follows a status
      // that does not come with its text.
      if (!place.querySelector("input")) place.append(...makeInput(text), make("p", { role: "status" }));
      this.input = place.querySelector("input");
      this.status = place.querySelector("[role=status]");
      this.guesses = make("div", { class: "explorer-guesses" });
      this.heads = make("div", { class: "explorer-heads", role: "group", "aria-label": WORDS.heads });
      const about = [make("h2", {}, WORDS.heads), make("p", {}, WORDS.howHeads)];
      this.found = make("div", {}, this.guesses, ...about, this.heads);
      const hint = encoder.hasHead ? [make("p", { id: "explorer-hint" }, WORDS.hint)] : [];
      if (hint.length) this.input.setAttribute("aria-describedby", "explorer-hint");
      while (this.status.nextSibling) this.status.nextSibling.remove();
      this.status.before(...hint);
      this.status.after(this.found);
      this.shown = new Head(this.found);
      this.buttons = this.makeHeads();
      this.input.addEventListener("input", () => this.soon());
      this.read();
    }

    makeHeads() {
      const { num_layers: layers, num_heads: heads } = this.encoder.sizes;
      return Array.from({ length: layers * heads }, (_, number) => {
        const [layer, head] = [Math.floor(number / heads), number % heads];
        const map = make("canvas", { "aria-hidden": "true" });
        const button = make("button", { type: "button" }, map, make("span", {}, WORDS.head(layer, head)));
        button.addEventListener("click", () => this.choose(layer, head));
        this.heads.append(button);
        return button;
      });
    }

    // Once the reader has stopped typing for a moment.
    soon() {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.read(), 60);
    }

    read() {
      const { tokens, leftOut } = this.encoder.tokenize(this.input.value);
      this.found.hidden = tokens.length === 2;
      if (this.found.hidden) {
        this.status.textContent = WORDS.empty;
        return;
      }
      const cut = leftOut ? ` ${WORDS.leftOut(leftOut, this.encoder.sizes.max_length - 2)}` : "";
      this.tokens = tokens;
      const { attention, guesses } = this.encoder.read(tokens);
      this.status.textContent = [WORDS.read(tokens.length) + cut, ...guesses.map(inShort)].join(" ");
      this.attention = attention;
      this.showGuesses(guesses);
      this.choose(this.layer, this.head);
      for (const [number, button] of this.buttons.entries()) {
        const { num_heads: heads } = this.encoder.sizes;
        const canvas = button.querySelector("canvas");
        draw(canvas, this.attention[Math.floor(number / heads)][number % heads], tokens.length, SMALL);
      }
    }

    choose(layer, head) {
      const heads = this.encoder.sizes.num_heads;
      [this.layer, this.head] = [layer, head];
      for (const [number, button] of this.buttons.entries()) {
        button.setAttribute("aria-pressed", String(number === layer * heads + head));
      }
      const weights = this.attention[layer][head];
      this.shown.show({ name: WORDS.head(layer, head), tokens: this.tokens, weights, query: null });
    }

    showGuesses(guesses) {
      const parts = guesses.map(({ place, likeliest }) =>
        make(
          "div",
          {},
          make("p", {}, WORDS.guess(place)),
          make("ol", {}, ...likeliest.map(({ piece, probability }) => guess(piece, probability))),
        ),
      );
      this.guesses.replaceChildren(...(parts.length ? [make("h2", {}, WORDS.guesses), ...parts] : []));
    }
  }

  // The likeliest pieces for a gap, as one sentence.
  function inShort({ place, likeliest }) {
    const best = likeliest.slice(0, MOST_SAID).map(({ piece, probability }) => `${piece} ${inPercent(probability)}`);
    return `${WORDS.guess(place)} ${best.join(", ")}.`;
  }

  function guess(piece, probability) {
    const bar = make("span", { class: "explorer-bar", "aria-hidden": "true" });
    bar.style.width = `${(100 * probability).toFixed(1)}%`;
    return make("li", {}, make("span", {}, piece), ` ${inPercent(probability)}`, bar);
  }

  return {
    // Shows a packed encoder in an element, on a text.
    show: (place, packed, text) => new View(place, new Encoder(packed), text),
  };
})();
