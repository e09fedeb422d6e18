"""What goes wrong in DecoderBlock."""

from __future__ import annotations

from grading.exercises.decoder.checks import block

CAUSAL = "causal_mask(ops.shape(x)[1])"
BOTH_MASKS = "ops.logical_and(seen, MultiHeadAttention.with_four_axes(attention_mask))"
READ = "return self.cross_attention(x, context=context, attention_mask=context_mask)"
FEEDING = "(self.feed_forward, self.feed_forward_norm)"
PRE, POST = "x + drop(part(norm(x)))", "norm(x + drop(part(x)))"

block.mistake(
    "NoCausalMask",
    "There is no causal mask: words see what comes later.",
    hint="While it learns, the whole text is there at once. Who hides the words that are still to be said?",
    change={"attention_mask=seen": "attention_mask=attention_mask"},
)
block.mistake(
    "FutureOnly",
    "The triangle is the wrong one: words see themselves and what comes later.",
    hint="A row is a query, a column a key. Which side of the diagonal is the past?",
    change={CAUSAL: f"ops.transpose({CAUSAL})"},
)
block.mistake(
    "NotItself",
    "A word does not see itself, only what came before.",
    hint="What stands at a place is known there. It is the next word that is asked for.",
    change={
        f"seen = {CAUSAL}": "places = ops.arange(ops.shape(x)[1])\nseen = (places[:, None] > places[None, :])",
    },
)
block.mistake(
    "MaskInstead",
    "Where there is an attention_mask, it replaces the causal mask.",
    hint="A key must be allowed by both.",
    change={BOTH_MASKS: "attention_mask"},
)
block.mistake(
    "MaskIgnored",
    "attention_mask is ignored.",
    hint="The causal mask hides what comes later. Who hides padding?",
    change={BOTH_MASKS: "seen"},
)
block.mistake(
    "MasksJoinedByOr",
    "The two masks are joined by or: a key is seen if one of them allows it.",
    hint="A key must be allowed by both.",
    change={"ops.logical_and(seen": "ops.logical_or(seen"},
)
block.mistake(
    "ContextMaskIgnored",
    "context_mask is ignored: padding of what was read is attended to.",
    hint="There are two masks, one for each attention.",
    change={", attention_mask=context_mask": ""},
)
block.mistake(
    "CausalContext",
    "The attention to what was read is causal, too: the first word sees one word of the other text.",
    hint="What was read is all there. Nothing of it must be hidden but padding.",
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
    "The second attention attends to what was written instead of what was read.",
    hint="Queries come from x. Where do keys and values come from?",
    change={
        "self.cross_attention.build(x_shape, context_shape)": "self.cross_attention.build(x_shape)",
        READ: "return self.cross_attention(x, attention_mask=seen)",
    },
)
block.mistake(
    "ContextNormalized",
    "The context is normalized by this block's norm, too.",
    hint="Who reads has a last norm of its own. What goes through the norm of this part?",
    change={"context=context": "context=ops.layer_normalization(context, epsilon=1e-12)"},
)
block.mistake(
    "ReadsFirst",
    "The two attentions change places: it reads before it looks at what was written.",
    hint="In the figure of the paper, which one is at the bottom?",
    change={"parts.append((read,": "parts.insert(0, (read,"},
)
block.mistake(
    "FeedsBetween",
    "The feed-forward network stands between the two attentions.",
    hint="It is the last part.",
    change={f"parts.append({FEEDING})": f"parts.insert(1, {FEEDING})"},
)
block.mistake(
    "NoFeedForward",
    "The feed-forward network is left out.",
    hint="There are three parts with a context, and two without.",
    change={f"parts.append({FEEDING})": ""},
)
block.mistake(
    "NeverReads",
    "What was read is never looked at.",
    hint="Where is cross_attention called?",
    change={"if context is not None:": "if False:"},
)
block.mistake(
    "NoPathAroundReading",
    "There is no path around the attention to what was read.",
    hint="Each part changes the words; none replaces them.",
    change={
        PRE: "(0.0 if part is read else x) + drop(part(norm(x)))",
        POST: "norm((0.0 if part is read else x) + drop(part(x)))",
    },
)
block.mistake(
    "PathsFromTheInput",
    "All paths lead around from the block's input, instead of what the part before has given.",
    hint="x + part(x): both x are the same.",
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
    "positions is ignored: neither attention knows any.",
    hint="PositionedAttention takes positions. Which does it get?",
    change={"positions=self.positions, ": 'positions="none", '},
)
block.mistake(
    "PositionsOfTheWrittenOnly",
    "Only the attention to what was written gets the positions.",
    hint="There are two attentions, and both get them.",
    change={"positions=self.positions, ": 'positions=self.positions if name == "self_attention" else "none", '},
)
block.mistake(
    "NoDropout",
    "Nothing is dropped in training.",
    hint="self.dropout_layer stands between a part and the sum.",
    change={
        "self.num_heads, self.dropout)": "self.num_heads, 0.0)",
        PRE: "x + part(norm(x))",
        POST: "norm(x + part(x))",
    },
)
block.mistake(
    "DropsTheSum",
    "It drops from the sum, and so from the path around the parts.",
    hint="What goes around a part stays whole.",
    change={PRE: "drop(x + part(norm(x)))", POST: "norm(drop(x + part(x)))"},
)

# The norm or the path around stands at the wrong place, around one of the three parts.
WIRINGS = (
    (
        POST,
        "x + norm(drop(part(x)))",
        "In post-LN, what {part} gives is normalized before x is added, instead of the sum.",
    ),
    (
        POST,
        "norm(x + drop(part(norm(x))))",
        "In post-LN, what goes into {part} is normalized, too, and not the sum alone.",
    ),
    (PRE, "norm(x) + drop(part(norm(x)))", "In pre-LN, the normalized x goes around {part}, and not x itself."),
    (PRE, "x + norm(drop(part(x)))", "In pre-LN, what {part} gives is normalized, and not what goes in."),
    (PRE, "x + drop(part(x))", "In pre-LN, what goes into {part} is not normalized."),
)
PARTS = (
    ("Written", "written", "the attention to what was written"),
    ("Read", "read", "the attention to what was read"),
    ("Network", "self.feed_forward", "the feed-forward network"),
)

for number, (joined, wired, sentence) in enumerate(WIRINGS):
    for name, part, said in PARTS:
        block.mistake(
            f"Wired{number}{name}",
            sentence.format(part=said),
            hint="Put your line beside its equation: what stands in the brackets of norm, and what is added to what?",
            change={joined: f"({wired} if part is {part} else {joined})"},
        )
