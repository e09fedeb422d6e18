"""What goes wrong in DecoderBlock."""

from __future__ import annotations

from grading.exercises.decoder.checks import block

CAUSAL = "causal_mask(ops.shape(x)[1])"
BOTH_MASKS = "ops.logical_and(seen, MultiHeadAttention.with_four_axes(attention_mask))"
READ = "return self.cross_attention(x, context=context, attention_mask=context_mask)"
FEEDING = "(self.feed_forward, self.feed_forward_norm)"
PRE, POST = "x + drop(part(norm(x)))", "norm(x + drop(part(x)))"

block.mistake(
    "norms_not_built",
    "`build` makes a part without its weights, which only the first call makes.",
    hint="A file of weights is loaded before anything is called. Which part is not built?",
    change={"part.build(x_shape)": "if not isinstance(part, LayerNorm):\n    part.build(x_shape)"},
)
block.mistake(
    "NoCausalMask",
    "The causal mask is missing: words see later words.",
    hint="In training, the whole text is there at once. What hides the words that come later?",
    change={"attention_mask=seen": "attention_mask=attention_mask"},
)
block.mistake(
    "FutureOnly",
    "The mask uses the wrong triangle: words see themselves and later words.",
    hint="A row is a query, a column a key. Which side of the diagonal is the past?",
    change={CAUSAL: f"ops.transpose({CAUSAL})"},
)
block.mistake(
    "NotItself",
    "A word does not see itself, only earlier words.",
    hint="The word at a place is known there. The model is asked for the next one.",
    change={
        f"seen = {CAUSAL}": "places = ops.arange(ops.shape(x)[1])\nseen = (places[:, None] > places[None, :])",
    },
)
block.mistake(
    "MaskInstead",
    "An attention_mask replaces the causal mask.",
    hint="Both masks must allow a key.",
    change={BOTH_MASKS: "attention_mask"},
)
block.mistake(
    "MaskIgnored",
    "attention_mask is ignored.",
    hint="The causal mask hides later words. What hides padding?",
    change={BOTH_MASKS: "seen"},
)
block.mistake(
    "MasksJoinedByOr",
    "The two masks are joined by or: a key is seen if either allows it.",
    hint="Both masks must allow a key.",
    change={"ops.logical_and(seen": "ops.logical_or(seen"},
)
block.mistake(
    "ContextMaskIgnored",
    "context_mask is ignored, so cross-attention looks at padding.",
    hint="There are two masks, one for each attention.",
    change={", attention_mask=context_mask": ""},
)
block.mistake(
    "CausalContext",
    "Cross-attention is causal, too: the first word sees only one word of the other text.",
    hint="The whole context is known. Only its padding must be hidden.",
    change={
        READ: """
            places, keys = ops.arange(ops.shape(x)[1]), ops.arange(ops.shape(context)[1])
            causal = (places[:, None] >= keys[None, :])[None, None]
            mask = causal if context_mask is None else ops.logical_and(causal, context_mask)
            return self.cross_attention(x, context=context, attention_mask=mask)
        """
    },
)
block.mistake(
    "ContextIgnored",
    "Cross-attention attends to the text being written instead of the context.",
    hint="Queries come from x. Where do keys and values come from?",
    change={
        "self.cross_attention.build(x_shape, context_shape)": "self.cross_attention.build(x_shape)",
        READ: "return self.cross_attention(x, attention_mask=seen)",
    },
)
block.mistake(
    "ContextNormalized",
    "The block's norm is applied to the context as well.",
    hint="The encoder has its own last norm. What does the norm of this part receive?",
    change={"context=context": "context=ops.layer_normalization(context, epsilon=1e-12)"},
)
block.mistake(
    "ReadsFirst",
    "The two attentions are swapped: cross-attention comes before self-attention.",
    hint="In the figure of the paper, which one is at the bottom?",
    change={"parts.append((read,": "parts.insert(0, (read,"},
)
block.mistake(
    "FeedsBetween",
    "The feed-forward network comes between the two attentions.",
    hint="It is the last part.",
    change={f"parts.append({FEEDING})": f"parts.insert(1, {FEEDING})"},
)
block.mistake(
    "NoFeedForward",
    "The feed-forward network is missing.",
    hint="A block has three parts with a context, and two without.",
    change={f"parts.append({FEEDING})": ""},
)
block.mistake(
    "NeverReads",
    "The block never attends to the context.",
    hint="Where is cross_attention called?",
    change={"if context is not None:": "if False:"},
)
block.mistake(
    "NoPathAroundReading",
    "Cross-attention has no residual path.",
    hint="Each part changes the words; no part replaces them.",
    change={
        PRE: "(0.0 if part is read else x) + drop(part(norm(x)))",
        POST: "norm((0.0 if part is read else x) + drop(part(x)))",
    },
)
block.mistake(
    "PathsFromTheInput",
    "Every residual path starts at the block's input instead of the output of the part before.",
    hint="In x + part(x), both x are the same.",
    change={
        "for part, norm in parts:": "given = x\nfor part, norm in parts:",
        PRE: "given + drop(part(norm(x)))",
        POST: "norm(given + drop(part(x)))",
    },
)
block.mistake(
    "AlwaysPost",
    "norm_first is ignored: the block is always post-LN.",
    hint="There are two equations. Which one does norm_first choose?",
    change={f"{PRE} if self.norm_first else {POST}": POST},
)
block.mistake(
    "AlwaysPre",
    "norm_first is ignored: the block is always pre-LN.",
    hint="There are two equations. Which one does norm_first choose?",
    change={f"{PRE} if self.norm_first else {POST}": PRE},
)
block.mistake(
    "OneNorm",
    "All parts share one norm.",
    hint="Each part has a norm of its own.",
    change={"for part, norm in parts:": "norm = self.self_attention_norm\nfor part, _ in parts:"},
)
block.mistake(
    "NoPositions",
    "positions is ignored: neither attention uses any.",
    hint="PositionedAttention takes positions. Which ones does it get?",
    change={"positions=self.positions, ": 'positions="none", '},
)
block.mistake(
    "PositionsOfTheWrittenOnly",
    "Only self-attention gets the positions.",
    hint="The block has two attentions, and both need them.",
    change={"positions=self.positions, ": 'positions=self.positions if name == "self_attention" else "none", '},
)
block.mistake(
    "NoDropout",
    "Dropout does nothing in training.",
    hint="self.dropout_layer belongs between a part and the sum.",
    change={
        "self.num_heads, self.dropout)": "self.num_heads, 0.0)",
        PRE: "x + part(norm(x))",
        POST: "norm(x + part(x))",
    },
)
block.mistake(
    "DropsTheSum",
    "Dropout is applied to the sum, and so to the residual path.",
    hint="The residual path stays whole.",
    change={PRE: "drop(x + part(norm(x)))", POST: "norm(drop(x + part(x)))"},
)

# The norm or the residual path is at the wrong place in one of the three parts.
WIRINGS = (
    (
        POST,
        "x + norm(drop(part(x)))",
        "In post-LN, the output of {part} is normalized before x is added, instead of the sum.",
    ),
    (
        POST,
        "norm(x + drop(part(norm(x))))",
        "In post-LN, the input of {part} is normalized in addition to the sum.",
    ),
    (
        PRE,
        "norm(x) + drop(part(norm(x)))",
        "In pre-LN, the residual path around {part} carries the normalized x instead of x.",
    ),
    (PRE, "x + norm(drop(part(x)))", "In pre-LN, the output of {part} is normalized instead of its input."),
    (PRE, "x + drop(part(x))", "In pre-LN, the input of {part} is not normalized."),
)
PARTS = (
    ("Written", "written", "self-attention"),
    ("Read", "read", "cross-attention"),
    ("Network", "self.feed_forward", "the feed-forward network"),
)

for number, (joined, wired, sentence) in enumerate(WIRINGS):
    for name, part, in_words in PARTS:
        block.mistake(
            f"Wired{number}{name}",
            sentence.format(part=in_words),
            hint="Compare your line with its equation: what is inside the brackets of norm, and what is added to what?",
            change={joined: f"({wired} if part is {part} else {joined})"},
        )
block.mistake(
    "PathsFromTheNorms",
    "With norm_first, the residual paths start after the normalizations instead of before them.",
    hint="What is added to the part's output: x, or norm(x)?",
    change={"x + drop(part(norm(x))) if": "norm(x) + drop(part(norm(x))) if"},
)
block.mistake(
    "MaskOnlyBesideContext",
    "attention_mask is ignored if there is no context.",
    hint="A block of GPT reads padded texts, too. What does your code do with attention_mask if context is None?",
    change={"if attention_mask is not None": "if attention_mask is not None and context is not None"},
)
block.mistake(
    "ContextMaskInPostAlone",
    "With norm_first, context_mask is ignored.",
    hint="Pre-LN and post-LN differ in their norms alone. Do both of your branches pass on the same masks?",
    change={"attention_mask=context_mask": "attention_mask=None if self.norm_first else context_mask"},
)
block.mistake(
    "MaskInPostAlone",
    "With norm_first, attention_mask is ignored.",
    hint="Pre-LN and post-LN differ in their norms alone. Do both of your branches pass on the same masks?",
    change={"if attention_mask is not None": "if attention_mask is not None and not self.norm_first"},
)
block.mistake(
    "FeedForwardOfTheGlobalPolicy",
    "The feed-forward network does not get this layer's dtype policy.",
    hint="Make a block with dtype='float64' and look at the dtype of each weight. Which part is left out?",
    change={'name="feed_forward", dtype=dtype': 'name="feed_forward"'},
)
