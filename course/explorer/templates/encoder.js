// BERT's encoder and its head for masked words, as course/encoder.py and course/masked_lm.py compute them.
// A tensor of rows is a Float32Array, one row after the other.
"use strict";

class Encoder {
  // packed: the object from course/explorer/packing.py.
  constructor(packed) {
    this.sizes = packed.sizes;
    this.vocabulary = packed.vocabulary;
    this.lowercase = packed.lowercase;
    this.ids = new Map(packed.vocabulary.map((piece, id) => [piece, id]));
    this.tensors = unpack(packed);
    this.hasHead = this.tensors.has("head.output_bias");
  }

  // The tokens of a text between [CLS] and [SEP], and how many did not fit.
  tokenize(text) {
    const pieces = Wordpiece.tokenize(text, this.ids, this.lowercase);
    const room = this.sizes.max_length - 2;
    return { tokens: ["[CLS]", ...pieces.slice(0, room), "[SEP]"], leftOut: Math.max(0, pieces.length - room) };
  }

  // For tokens: attention[layer][head], (query, key), and for each [MASK] the likeliest pieces.
  read(tokens, count = 5) {
    const attention = [];
    const isPadding = tokens.map((token) => this.ids.get(token) === this.sizes.padding_id);
    let x = this.embed(tokens);
    for (let layer = 0; layer < this.sizes.num_layers; layer += 1) {
      const block = `blocks.${layer}`;
      const { output, weights } = this.attend(x, tokens.length, `${block}.attention`, isPadding);
      attention.push(weights);
      x = this.norm(sum(x, output), `${block}.attention_norm`);
      const inner = gelu(this.project(x, `${block}.feed_forward.intermediate_dense`), this.sizes.approximate_gelu);
      x = this.norm(sum(x, this.project(inner, `${block}.feed_forward.output_dense`)), `${block}.feed_forward_norm`);
    }
    return { attention, guesses: this.hasHead ? this.guesses(x, tokens, count) : [] };
  }

  embed(tokens) {
    const { hidden_dim: width } = this.sizes;
    const [words, places, segments] = ["token", "position", "segment"].map((name) =>
      this.tensors.get(`embedding.${name}_embedding.embeddings`),
    );
    const x = new Float32Array(tokens.length * width);
    tokens.forEach((token, place) => {
      const id = this.ids.get(token);
      for (let i = 0; i < width; i += 1) {
        x[place * width + i] = words[id * width + i] + segments[i] + places[place * width + i];
      }
    });
    return this.norm(x, "embedding.norm");
  }

  // softmax(QKᵀ / √head_dim) V in every head; no token attends to padding.
  attend(x, length, name, isPadding) {
    const { hidden_dim: width, num_heads: heads } = this.sizes;
    const [query, key, value] = ["query", "key", "value"].map((part) => this.project(x, `${name}.${part}_dense`));
    const headWidth = width / heads;
    const mixed = new Float32Array(length * width);
    const weights = [];
    for (let head = 0; head < heads; head += 1) {
      const map = new Float32Array(length * length);
      for (let q = 0; q < length; q += 1) {
        const row = map.subarray(q * length, (q + 1) * length);
        const asks = q * width + head * headWidth;
        for (let k = 0; k < length; k += 1) {
          const offers = k * width + head * headWidth;
          let score = 0;
          for (let i = 0; i < headWidth; i += 1) score += query[asks + i] * key[offers + i];
          row[k] = isPadding[k] ? -1e9 : score / Math.sqrt(headWidth);
        }
        softmax(row);
        for (let k = 0; k < length; k += 1) {
          const gives = k * width + head * headWidth;
          for (let i = 0; i < headWidth; i += 1) mixed[asks + i] += row[k] * value[gives + i];
        }
      }
      weights.push(map);
    }
    return { output: this.project(mixed, `${name}.output_dense`), weights };
  }

  guesses(x, tokens, count) {
    const { hidden_dim: width } = this.sizes;
    const words = this.tensors.get("embedding.token_embedding.embeddings");
    const bias = this.tensors.get("head.output_bias");
    const places = [...tokens.keys()].filter((place) => tokens[place] === "[MASK]");
    return places.map((place) => {
      const output = x.subarray(place * width, (place + 1) * width);
      const hidden = this.norm(gelu(this.project(output, "head.dense"), false), "head.norm", this.sizes.head_epsilon);
      const scores = bias.slice();
      for (let id = 0; id < scores.length; id += 1) {
        let score = 0;
        for (let i = 0; i < width; i += 1) score += hidden[i] * words[id * width + i];
        scores[id] += score;
      }
      softmax(scores);
      const best = [...scores.keys()].sort((one, other) => scores[other] - scores[one]).slice(0, count);
      return { place, likeliest: best.map((id) => ({ piece: this.vocabulary[id], probability: scores[id] })) };
    });
  }

  // x W + b. It multiplies two rows of x by four rows of W at a time: each number of W is fetched once for two uses, and
  // each sum is stored once for four products. This takes a third of the time of a simple loop.
  project(x, name) {
    const [kernel, bias] = [this.tensors.get(`${name}.kernel`), this.tensors.get(`${name}.bias`)];
    const wide = bias.length;
    const narrow = kernel.length / wide;
    const rows = x.length / narrow;
    const y = new Float32Array((rows + 1) * wide); // with one to spare, where their number is odd
    const factor = (row, i) => (row < rows && i < narrow ? x[row * narrow + i] : 0);
    const from = (i) => Math.min(i, narrow - 1) * wide;
    for (let row = 0; row < rows; row += 2) {
      const to = y.subarray(row * wide, (row + 1) * wide);
      const next = y.subarray((row + 1) * wide, (row + 2) * wide);
      to.set(bias);
      next.set(bias);
      for (let i = 0; i < narrow; i += 4) {
        const [a, b, c, d] = [from(i), from(i + 1), from(i + 2), from(i + 3)];
        const [ta, tb, tc, td] = [factor(row, i), factor(row, i + 1), factor(row, i + 2), factor(row, i + 3)];
        const [na, nb, nc, nd] = [0, 1, 2, 3].map((more) => factor(row + 1, i + more));
        for (let j = 0; j < wide; j += 1) {
          const ka = kernel[a + j];
          const kb = kernel[b + j];
          const kc = kernel[c + j];
          const kd = kernel[d + j];
          to[j] += ta * ka + tb * kb + tc * kc + td * kd;
          next[j] += na * ka + nb * kb + nc * kc + nd * kd;
        }
      }
    }
    return y.subarray(0, rows * wide);
  }

  norm(x, name, epsilon = this.sizes.epsilon) {
    const [gamma, beta] = [this.tensors.get(`${name}.gamma`), this.tensors.get(`${name}.beta`)];
    const width = gamma.length;
    const y = new Float32Array(x.length);
    for (let start = 0; start < x.length; start += width) {
      let mean = 0;
      let variance = 0;
      for (let i = 0; i < width; i += 1) mean += x[start + i] / width;
      for (let i = 0; i < width; i += 1) variance += (x[start + i] - mean) ** 2 / width;
      const scale = 1 / Math.sqrt(variance + epsilon);
      for (let i = 0; i < width; i += 1) y[start + i] = (x[start + i] - mean) * scale * gamma[i] + beta[i];
    }
    return y;
  }
}

function sum(one, other) {
  return one.map((value, place) => value + other[place]);
}

function softmax(row) {
  const highest = row.reduce((one, other) => Math.max(one, other));
  let total = 0;
  for (let i = 0; i < row.length; i += 1) total += row[i] = Math.exp(row[i] - highest);
  for (let i = 0; i < row.length; i += 1) row[i] /= total;
}

function gelu(x, approximate) {
  if (approximate) {
    return x.map((v) => 0.5 * v * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3))));
  }
  return x.map((v) => 0.5 * v * (1 + erf(v / Math.SQRT2)));
}

// Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 7.1.26; no further from erf than 1.5e-7.
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const polynomial = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - polynomial * Math.exp(-x * x));
}

// The tensors by name: numbers of 2 or 4 bytes, in base64, one tensor after the other.
function unpack({ tensors, data, bytes }) {
  const text = atob(data);
  const raw = Uint8Array.from({ length: text.length }, (_, place) => text.charCodeAt(place));
  const numbers = bytes === 4 ? new Float32Array(raw.buffer) : Float32Array.from(new Uint16Array(raw.buffer), half);
  let start = 0;
  return new Map(tensors.map(([name, size]) => [name, numbers.subarray(start, (start += size))]));
}

// A float16 number (IEEE 754, binary16), from its 16 bits.
function half(bits) {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
  return bits >> 15 ? -size : size;
}
