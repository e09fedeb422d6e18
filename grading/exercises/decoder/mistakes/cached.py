"""What goes wrong in CachedAttention."""

from __future__ import annotations

import math
from typing import Any

from keras import ops

import course.decoder as right
from course.attention import merge_heads, scaled_dot_product_attention, split_heads
from grading.exercises.decoder.checks import cached


class Variant(right.CachedAttention):
    """The layer in small steps, one of which a mistake gets wrong."""

    def heads(self, x: Any) -> Any:
        return split_heads(x, self.num_heads)

    def place(self, position: Any) -> Any:
        return position

    def new(self, key: Any, value: Any) -> Any:
        return ops.stack([key, value], axis=1)

    def written(self, cache: Any, new: Any, position: Any) -> Any:
        return ops.slice_update(cache, (0, 0, 0, self.place(position), 0), ops.cast(new, cache.dtype))

    def stored(self, cache: Any, key: Any, value: Any) -> tuple[Any, Any]:
        return cache[:, 0], cache[:, 1]

    def seen(self, position: Any, new: Any, room: Any) -> Any:
        return ops.arange(room)[None, :] <= position + ops.arange(new)[:, None]

    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        return scaled_dot_product_attention(query, key, value, None if mask is None else mask[None, None])[0]

    def call(self, inputs: Any, cache: Any, position: Any) -> Any:
        query = self.heads(self.query_dense(inputs))
        key, value = self.heads(self.key_dense(inputs)), self.heads(self.value_dense(inputs))
        cache = self.written(cache, self.new(key, value), position)
        keys, values = self.stored(cache, key, value)
        mask = self.seen(position, ops.shape(inputs)[1], ops.shape(keys)[2])
        return self.output_dense(merge_heads(self.attend(query, keys, values, mask))), cache


@cached.whole_mistake(
    "There is no mask: places that nobody has written yet get a weight.",
    hint="What does a softmax give to a key that is 0?",
)
class NoMask(Variant):
    def seen(self, position: Any, new: Any, room: Any) -> Any:
        return None


@cached.whole_mistake(
    "Of several new words, the first ones see the later ones.",
    hint="The word at position + i sees the places up to position + i.",
)
class NewWordsSeeEachOther(Variant):
    def seen(self, position: Any, new: Any, room: Any) -> Any:
        return ops.broadcast_to(ops.arange(room)[None, :] < position + new, (new, room))


@cached.whole_mistake(
    "A new word does not see itself.",
    hint="It is written into the cache before it looks.",
)
class NotItself(Variant):
    def seen(self, position: Any, new: Any, room: Any) -> Any:
        return ops.arange(room)[None, :] < position + ops.arange(new)[:, None]


@cached.whole_mistake(
    "The mask counts the new words from 0: words of earlier calls are forgotten.",
    hint="Word i of a call stands at position + i.",
)
class MaskFromZero(Variant):
    def seen(self, position: Any, new: Any, room: Any) -> Any:
        return super().seen(0, new, room)


@cached.whole_mistake(
    "All new words see no more than the first of them.",
    hint="With each new word, one more place is to be seen.",
)
class AllAsTheFirst(Variant):
    def seen(self, position: Any, new: Any, room: Any) -> Any:
        return ops.broadcast_to(ops.arange(room)[None, :] <= position, (new, room))


@cached.whole_mistake(
    "The position is turned into a Python number; where it is a tensor of a compiled step, it has no value yet.",
    hint="`ops.slice_update` and comparisons take the position as it comes, a number or a tensor.",
)
class PositionOfPython(Variant):
    def call(self, inputs: Any, cache: Any, position: Any) -> Any:
        return super().call(inputs, cache, int(position))


@cached.whole_mistake(
    "New words are always written to the start of the cache.",
    hint="Where do the words of this call stand in the text?",
)
class WrittenAtZero(Variant):
    def place(self, position: Any) -> Any:
        return 0


@cached.whole_mistake(
    "The new words attend to each other alone; the cache is written and never read.",
    hint="Whose keys are handed to attention?",
)
class CacheNotRead(Variant):
    def stored(self, cache: Any, key: Any, value: Any) -> tuple[Any, Any]:
        return key, value

    def seen(self, position: Any, new: Any, room: Any) -> Any:
        return super().seen(0, new, room)


@cached.whole_mistake(
    "Keys and values are exchanged in the cache.",
    hint="Keys are at 0 of the second axis, values at 1.",
)
class Exchanged(Variant):
    def new(self, key: Any, value: Any) -> Any:
        return super().new(value, key)

    def stored(self, cache: Any, key: Any, value: Any) -> tuple[Any, Any]:
        return cache[:, 1], cache[:, 0]


@cached.whole_mistake(
    "The keys are used as values, too.",
    hint="The cache has two halves. Which one is summed?",
)
class KeysAsValues(Variant):
    def stored(self, cache: Any, key: Any, value: Any) -> tuple[Any, Any]:
        return cache[:, 0], cache[:, 0]


@cached.whole_mistake(
    "The old cache is returned: what was written is lost.",
    hint="Tensors do not change. What does slice_update return?",
)
class OldCacheReturned(Variant):
    def call(self, inputs: Any, cache: Any, position: Any) -> Any:
        return super().call(inputs, cache, position)[0], cache


@cached.whole_mistake(
    "The values are not written into the cache.",
    hint="Both keys and values are needed again.",
)
class ValuesNotWritten(Variant):
    def new(self, key: Any, value: Any) -> Any:
        return super().new(key, ops.zeros_like(value))


@cached.whole_mistake(
    "What is behind the new words is wiped out; it should stay as it is.",
    hint="slice_update changes the places of the new words alone.",
)
class WipedOut(Variant):
    def written(self, cache: Any, new: Any, position: Any) -> Any:
        cache = super().written(cache, new, position)
        is_before = ops.arange(ops.shape(cache)[3]) < position + ops.shape(new)[3]
        return ops.where(is_before[None, None, None, :, None], cache, 0.0)


@cached.whole_mistake(
    "The new keys and values are added to what the cache holds there; they should replace it.",
    hint="A cache need not be empty. What happens to what stands there?",
)
class Added(Variant):
    def written(self, cache: Any, new: Any, position: Any) -> Any:
        empty = ops.zeros_like(cache)
        return cache + super().written(empty, new, position)


@cached.whole_mistake(
    "The heads are cut by a reshape alone: each gets features of other words.",
    hint="split_heads moves an axis, too.",
)
class ReshapeAlone(Variant):
    def heads(self, x: Any) -> Any:
        shape = (ops.shape(x)[0], self.num_heads, ops.shape(x)[1], self.hidden_dim // self.num_heads)
        return ops.reshape(x, shape)


@cached.whole_mistake(
    "The scores are divided by √hidden_dim instead of the root of a head's width.",
    hint="How wide is a query here?",
)
class DividedByTheWhole(Variant):
    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        return super().attend(query / math.sqrt(self.num_heads), key, value, mask)


@cached.whole_mistake(
    "The last projection is missing.",
    hint="What mixes the heads at the end?",
)
class NoOutputProjection(Variant):
    def call(self, inputs: Any, cache: Any, position: Any) -> Any:
        query = self.heads(self.query_dense(inputs))
        key, value = self.heads(self.key_dense(inputs)), self.heads(self.value_dense(inputs))
        cache = self.written(cache, self.new(key, value), position)
        mask = self.seen(position, ops.shape(inputs)[1], ops.shape(cache)[3])
        return merge_heads(self.attend(query, *self.stored(cache, key, value), mask)), cache
