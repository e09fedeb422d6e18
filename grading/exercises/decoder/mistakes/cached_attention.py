"""What goes wrong in CachedAttention."""

from __future__ import annotations

from grading.exercises.decoder.checks import cached

WRITTEN = "cache = ops.slice_update(cache, "
PLACES = "places = ops.arange(ops.shape(cache)[3])"
UP_TO_ITSELF = "<= position + ops.arange(ops.shape(inputs)[1])[:, None]"
STORED = "cache[:, 0], cache[:, 1]"
OUTPUT = "self.output_dense(merge_heads(output))"

cached.mistake(
    "NoMask",
    "There is no mask: places that nobody has written yet get a weight.",
    hint="What does a softmax give to a key that is 0?",
    change={f"{STORED}, seen[None, None]": STORED},
)
cached.mistake(
    "NewWordsSeeEachOther",
    "Of several new words, the first ones see the later ones.",
    hint="The word at position + i sees the places up to position + i.",
    change={UP_TO_ITSELF: "< position + ops.shape(inputs)[1]"},
)
cached.mistake(
    "NotItself",
    "A new word does not see itself.",
    hint="It is written into the cache before it looks.",
    change={"<= position": "< position"},
)
cached.mistake(
    "MaskFromZero",
    "The mask counts the new words from 0: words of earlier calls are forgotten.",
    hint="Word i of a call stands at position + i.",
    change={"<= position + ": "<= "},
)
cached.mistake(
    "AllAsTheFirst",
    "All new words see no more than the first of them.",
    hint="With each new word, one more place is to be seen.",
    change={UP_TO_ITSELF: "<= position"},
)
cached.mistake(
    "PositionOfPython",
    "The position is turned into a Python number; where it is a tensor of a compiled step, it has no value yet.",
    hint="`ops.slice_update` and comparisons take the position as it comes, a number or a tensor.",
    change={"require_cache(": "position = int(position)\nrequire_cache("},
)
cached.mistake(
    "WrittenAtZero",
    "New words are always written to the start of the cache.",
    hint="Where do the words of this call stand in the text?",
    change={"(0, 0, 0, position, 0)": "(0, 0, 0, 0, 0)"},
)
cached.mistake(
    "CacheNotRead",
    "The new words attend to each other alone; the cache is written and never read.",
    hint="Whose keys are handed to attention?",
    change={STORED: "key, value", PLACES: "places = ops.arange(ops.shape(inputs)[1])", "<= position + ": "<= "},
)
cached.mistake(
    "Exchanged",
    "Keys and values are exchanged in the cache.",
    hint="Keys are at 0 of the second axis, values at 1.",
    change={"[key, value]": "[value, key]", STORED: "cache[:, 1], cache[:, 0]"},
)
cached.mistake(
    "KeysAsValues",
    "The keys are used as values, too.",
    hint="The cache has two halves. Which one is summed?",
    change={STORED: "cache[:, 0], cache[:, 0]"},
)
cached.mistake(
    "OldCacheReturned",
    "The old cache is returned: what was written is lost.",
    hint="Tensors do not change. What does slice_update return?",
    change={WRITTEN: f"old = cache\n{WRITTEN}", f"{OUTPUT}, cache": f"{OUTPUT}, old"},
)
cached.mistake(
    "ValuesNotWritten",
    "The values are not written into the cache.",
    hint="Both keys and values are needed again.",
    change={"[key, value]": "[key, ops.zeros_like(value)]"},
)
cached.mistake(
    "WipedOut",
    "What is behind the new words is wiped out; it should stay as it is.",
    hint="slice_update changes the places of the new words alone.",
    change={
        PLACES: f"{PLACES}\ncache = ops.where((places < position + ops.shape(inputs)[1])[:, None], cache, 0.0)",
    },
)
cached.mistake(
    "Added",
    "The new keys and values are added to what the cache holds there; they should replace it.",
    hint="A cache need not be empty. What happens to what stands there?",
    change={WRITTEN: "cache = cache + ops.slice_update(ops.zeros_like(cache), "},
)
cached.mistake(
    "ReshapeAlone",
    "The heads are cut by a reshape alone: each gets features of other words.",
    hint="split_heads moves an axis, too.",
    change={
        "split_heads(layer(inputs), self.num_heads)": "ops.reshape(\n"
        "    layer(inputs), (-1, self.num_heads, ops.shape(inputs)[1], self.hidden_dim // self.num_heads)\n"
        ")"
    },
)
cached.mistake(
    "DividedByTheWhole",
    "The scores are divided by √hidden_dim instead of the root of a head's width.",
    hint="How wide is a query here?",
    change={"attention(query,": "attention(query / math.sqrt(self.num_heads),"},
)
cached.mistake(
    "NoOutputProjection",
    "The last projection is missing.",
    hint="What mixes the heads at the end?",
    change={OUTPUT: "merge_heads(output)"},
)
