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
    "The mask is missing: unwritten places of the cache get weight.",
    hint="What weight does a softmax give to a key of zeros?",
    change={f"{STORED}, seen[None, None]": STORED},
)
cached.mistake(
    "NewWordsSeeEachOther",
    "When several words are new, the first of them see the later ones.",
    hint="The word at position + i sees the places up to position + i.",
    change={UP_TO_ITSELF: "< position + ops.shape(inputs)[1]"},
)
cached.mistake(
    "OneEntryTooMany",
    "A new word also sees the entry after it: a later word, or one that is still empty.",
    hint="The word at position + i may see itself. Is the last entry that it sees position + i, or the next one?",
    change={UP_TO_ITSELF: UP_TO_ITSELF.replace("<= position", "<= 1 + position")},
)
cached.mistake(
    "NotItself",
    "A new word does not see itself.",
    hint="A word is written into the cache before it attends.",
    change={"<= position": "< position"},
)
cached.mistake(
    "MaskFromZero",
    "The mask counts the new words from 0, so words of earlier calls are hidden.",
    hint="Word i of a call stands at position + i.",
    change={"<= position + ": "<= "},
)
cached.mistake(
    "AllAsTheFirst",
    "All new words see only as much as the first of them.",
    hint="Each new word sees one place more.",
    change={UP_TO_ITSELF: "<= position"},
)
cached.mistake(
    "PositionOfPython",
    "The position is converted to a Python number; inside a compiled step, a tensor has no value yet.",
    hint="`ops.slice_update` and comparisons accept both a number and a tensor.",
    change={"require_cache(": "position = int(position)\nrequire_cache("},
)
cached.mistake(
    "WrittenAtZero",
    "New words are always written at the start of the cache.",
    hint="Where do the words of this call stand in the text?",
    change={"(0, 0, 0, position, 0)": "(0, 0, 0, 0, 0)"},
)
cached.mistake(
    "CacheNotRead",
    "The new words attend only to each other; the cache is written but never read.",
    hint="Which keys does attention receive?",
    change={STORED: "key, value", PLACES: "places = ops.arange(ops.shape(inputs)[1])", "<= position + ": "<= "},
)
cached.mistake(
    "Exchanged",
    "Keys and values are swapped in the cache.",
    hint="On the second axis, keys are at 0 and values at 1.",
    change={"[key, value]": "[value, key]", STORED: "cache[:, 1], cache[:, 0]"},
)
cached.mistake(
    "KeysAsValues",
    "The keys are used as values, too.",
    hint="The cache holds two arrays. Which one does the sum use?",
    change={STORED: "cache[:, 0], cache[:, 0]"},
)
cached.mistake(
    "OldCacheReturned",
    "The old cache is returned, so what was written is lost.",
    hint="slice_update changes no tensor in place. What does it return?",
    change={WRITTEN: f"old = cache\n{WRITTEN}", f"{OUTPUT}, cache": f"{OUTPUT}, old"},
)
cached.mistake(
    "ValuesNotWritten",
    "The values are not written into the cache.",
    hint="The next call needs both keys and values.",
    change={"[key, value]": "[key, ops.zeros_like(value)]"},
)
cached.mistake(
    "WipedOut",
    "Everything after the new words is erased; it should stay as it is.",
    hint="slice_update changes only the places of the new words.",
    change={
        PLACES: f"{PLACES}\ncache = ops.where((places < position + ops.shape(inputs)[1])[:, None], cache, 0.0)",
    },
)
cached.mistake(
    "Added",
    "The new keys and values are added to the cache's old content instead of replacing it.",
    hint="A cache need not be empty. What happens to the numbers that are there?",
    change={WRITTEN: "cache = cache + ops.slice_update(ops.zeros_like(cache), "},
)
cached.mistake(
    "ReshapeAlone",
    "A reshape alone splits the heads, so each head gets features of other words.",
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
cached.mistake(
    "DropsInTraining",
    "Attention weights are dropped in training.",
    hint="A decoder that writes is not being trained. What does the docstring say about dropout?",
    change={
        "output, _ =": "_, weights =",
        f"return {OUTPUT}": f"output = ops.matmul(self.dropout_layer(weights), cache[:, 1])\nreturn {OUTPUT}",
    },
)
