"""What goes wrong in BertEncoder."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.encoder as right
from course.embeddings import BertEmbedding
from grading.exercises.encoder.checks import encoder


class Variant(right.BertEncoder):
    """The encoder in steps, one of which a mistake gets wrong."""

    def embedding_options(self) -> dict[str, Any]:
        return {"num_segments": self.num_segments, "dropout": self.dropout, "epsilon": self.epsilon}

    def block_options(self) -> dict[str, Any]:
        return {
            "dropout": self.dropout,
            "attention_dropout": self.attention_dropout,
            "approximate_gelu": self.approximate_gelu,
            "epsilon": self.epsilon,
        }

    def build(self, token_ids_shape: tuple) -> None:
        dtype = self.dtype_policy
        sizes = (self.vocabulary_size, self.hidden_dim, self.max_length)
        self.embedding = BertEmbedding(*sizes, **self.embedding_options(), name="embedding", dtype=dtype)
        self.embedding.build((None, None))
        self.blocks = []
        for index in range(self.number_of_blocks()):
            options = {**self.block_options(), "name": f"block_{index}", "dtype": dtype}
            block = right.EncoderBlock(self.hidden_dim, self.num_heads, self.intermediate_dim, **options)
            block.build((None, None, self.hidden_dim))
            self.blocks.append(block)
        self.pooler = right.projection(self.hidden_dim, "pooler", activation=self.pooler_activation(), dtype=dtype)
        self.pooler.build((None, self.hidden_dim))

    def number_of_blocks(self) -> int:
        return self.num_layers

    def pooler_activation(self) -> str | None:
        return "tanh"

    def real(self, token_ids: Any, padding_mask: Any) -> Any:
        if padding_mask is None:
            padding_mask = ops.not_equal(token_ids, self.padding_id)
        return ops.cast(padding_mask, "bool")

    def mask(self, token_ids: Any, padding_mask: Any) -> Any:
        return self.real(token_ids, padding_mask)[:, None, None, :]

    def embed(self, token_ids: Any, segment_ids: Any) -> Any:
        return self.embedding(token_ids, segment_ids)

    def layers_of(self, x: Any, mask: Any) -> list[Any]:
        """The embedding's output, and each block's."""
        outputs = [x]
        for block in self.blocks:
            outputs.append(block(outputs[-1], attention_mask=mask))
        return outputs

    def pool(self, x: Any) -> Any:
        return self.pooler(x[:, 0])

    def shown(self, layer_outputs: list[Any]) -> list[Any]:
        return layer_outputs

    def call(
        self, token_ids: Any, segment_ids: Any = None, padding_mask: Any = None, return_layers: bool = False
    ) -> Any:
        mask = self.mask(token_ids, padding_mask)
        layer_outputs = self.layers_of(self.embed(token_ids, segment_ids), mask)
        x = layer_outputs[-1]
        outputs = {"sequence_output": x, "pooled_output": self.pool(x)}
        return {**outputs, "layer_outputs": self.shown(layer_outputs)} if return_layers else outputs


ONE_BLOCK = "There are the weights of one block only; each of the num_layers blocks has weights of its own."


@encoder.whole_mistake(
    ONE_BLOCK, hint="How many blocks are in your list? A block that is in it twice has its weights once."
)
class OneBlock(Variant):
    def number_of_blocks(self) -> int:
        return 1


@encoder.whole_mistake(
    ONE_BLOCK, hint="How many blocks are in your list? A block that is in it twice has its weights once."
)
class SameBlockAgain(OneBlock):
    def layers_of(self, x: Any, mask: Any) -> list[Any]:
        outputs = [x]
        for _ in range(self.num_layers):
            outputs.append(self.blocks[0](outputs[-1], attention_mask=mask))
        return outputs


@encoder.whole_mistake(
    "There is one block too many.",
    hint="num_layers counts blocks. The embedding is no block.",
)
class OneBlockTooMany(Variant):
    def number_of_blocks(self) -> int:
        return self.num_layers + 1


@encoder.whole_mistake(
    "The blocks are made but never used: the output is the embedding's.",
    hint="What do you do with self.blocks in your call?",
)
class BlocksUnused(Variant):
    def layers_of(self, x: Any, mask: Any) -> list[Any]:
        return [x] * (self.num_layers + 1)


@encoder.whole_mistake(
    "Every block gets the embedding; each should get the output of the block before it.",
    hint="In the loop over blocks, which variable goes in, and which one comes out?",
)
class BlocksSideBySide(Variant):
    def layers_of(self, x: Any, mask: Any) -> list[Any]:
        return [x, *(block(x, attention_mask=mask) for block in self.blocks)]


@encoder.whole_mistake(
    "The blocks are passed in reverse.",
    hint="block_0 comes first.",
)
class BlocksReversed(Variant):
    def layers_of(self, x: Any, mask: Any) -> list[Any]:
        outputs = [x]
        for block in reversed(self.blocks):
            outputs.append(block(outputs[-1], attention_mask=mask))
        return outputs


@encoder.whole_mistake(
    "The blocks are pre-LN; BERT's are post-LN.",
    hint="In BERT the sum is normalized. What is norm_first unless it is told otherwise?",
)
class PreNormBlocks(Variant):
    def block_options(self) -> dict[str, Any]:
        return {**super().block_options(), "norm_first": True}


@encoder.whole_mistake(
    "The mask does not reach the blocks: padding is attended to.",
    hint="Each block takes an attention_mask.",
)
class MaskIgnored(Variant):
    def mask(self, token_ids: Any, padding_mask: Any) -> Any:
        return None


@encoder.whole_mistake(
    "Without a padding_mask, nothing is masked; padding should be found by padding_id.",
    hint="Most callers pass ids alone. What tells padding from tokens then?",
)
class NoMaskByDefault(Variant):
    def mask(self, token_ids: Any, padding_mask: Any) -> Any:
        return None if padding_mask is None else super().mask(token_ids, padding_mask)


@encoder.whole_mistake(
    "padding_id is ignored: 0 is always taken for padding.",
    hint="Not every vocabulary puts [PAD] first. The encoder was told its id.",
)
class PaddingIsAlwaysZero(Variant):
    def real(self, token_ids: Any, padding_mask: Any) -> Any:
        return super().real(token_ids, ops.not_equal(token_ids, 0) if padding_mask is None else padding_mask)


@encoder.whole_mistake(
    "The padding_mask that is passed in is ignored.",
    hint="Only where padding_mask is None do the ids decide.",
)
class GivenMaskIgnored(Variant):
    def real(self, token_ids: Any, padding_mask: Any) -> Any:
        return super().real(token_ids, None)


@encoder.whole_mistake(
    "The mask is upside down: tokens are hidden, and padding is attended to.",
    hint="True means that attention is allowed. Is it equal or not equal?",
)
class MaskInverted(Variant):
    def mask(self, token_ids: Any, padding_mask: Any) -> Any:
        return ops.logical_not(super().mask(token_ids, padding_mask))


@encoder.whole_mistake(
    "The mask forbids queries instead of keys: its axes are (batch, 1, query, 1).",
    hint="Nobody may look at padding. The scores are (batch, heads, query, key).",
)
class MaskOfQueries(Variant):
    def mask(self, token_ids: Any, padding_mask: Any) -> Any:
        return ops.swapaxes(super().mask(token_ids, padding_mask), -1, -2)


@encoder.whole_mistake(
    "A padding_mask of 0 and 1 is not turned into truth values.",
    hint="Others write masks as numbers. MultiHeadAttention takes booleans only.",
)
class MaskNotCast(Variant):
    def real(self, token_ids: Any, padding_mask: Any) -> Any:
        return ops.not_equal(token_ids, self.padding_id) if padding_mask is None else padding_mask


@encoder.whole_mistake(
    "The segments do not reach the embedding.",
    hint="call takes segment_ids. Who wants them?",
)
class SegmentsIgnored(Variant):
    def embed(self, token_ids: Any, segment_ids: Any) -> Any:
        return self.embedding(token_ids)


@encoder.whole_mistake(
    "num_segments does not reach the embedding: there are always two.",
    hint="BertEmbedding has more arguments than its three sizes.",
)
class AlwaysTwoSegments(Variant):
    def embedding_options(self) -> dict[str, Any]:
        return {**super().embedding_options(), "num_segments": 2}


@encoder.whole_mistake(
    "The pooler has no tanh.",
    hint="The pooler is a projection with an activation. The range of pooled_output is -1 to 1.",
)
class PoolerWithoutTanh(Variant):
    def pooler_activation(self) -> str | None:
        return None


@encoder.whole_mistake(
    "The pooler takes the last token instead of the first.",
    hint="[CLS] stands at the beginning.",
)
class PoolsTheLast(Variant):
    def pool(self, x: Any) -> Any:
        return self.pooler(x[:, -1])


@encoder.whole_mistake(
    "The pooler takes the mean of all tokens instead of the first token.",
    hint="BERT's pooled output is that of one token, which stands for the text.",
)
class PoolsTheMean(Variant):
    def pool(self, x: Any) -> Any:
        return self.pooler(ops.mean(x, axis=1))


@encoder.whole_mistake(
    "pooled_output is the first token's output itself: the pooler is not applied.",
    hint="What do you do with self.pooler in your call?",
)
class PoolerUnused(Variant):
    def pool(self, x: Any) -> Any:
        return x[:, 0]


@encoder.whole_mistake(
    "The pooler is applied to all tokens: pooled_output is (batch, length, hidden_dim).",
    hint="One vector stands for the text. Which token's is it?",
)
class PoolsEveryToken(Variant):
    def pool(self, x: Any) -> Any:
        return self.pooler(x)


@encoder.whole_mistake(
    "layer_outputs lacks the embedding's output.",
    hint="The list has num_layers + 1 outputs. When do you put in the first?",
)
class LayersWithoutEmbedding(Variant):
    def shown(self, layer_outputs: list[Any]) -> list[Any]:
        return layer_outputs[1:]


@encoder.whole_mistake(
    "layer_outputs lacks the last block's output.",
    hint="The list has num_layers + 1 outputs. Do you put in what goes into a block, or what comes out?",
)
class LayersWithoutLast(Variant):
    def shown(self, layer_outputs: list[Any]) -> list[Any]:
        return layer_outputs[:-1]


@encoder.whole_mistake(
    "return_layers is ignored: there is no layer_outputs.",
    hint="Where return_layers is True, the dictionary has a third entry.",
)
class LayersNeverReturned(Variant):
    def call(
        self, token_ids: Any, segment_ids: Any = None, padding_mask: Any = None, return_layers: bool = False
    ) -> Any:
        return super().call(token_ids, segment_ids, padding_mask)


@encoder.whole_mistake(
    "The outputs come as a tuple instead of a dictionary.",
    hint='Callers ask for outputs["sequence_output"].',
)
class TupleReturned(Variant):
    def call(
        self, token_ids: Any, segment_ids: Any = None, padding_mask: Any = None, return_layers: bool = False
    ) -> Any:
        return tuple(super().call(token_ids, segment_ids, padding_mask, return_layers).values())


@encoder.whole_mistake(
    "Epsilon does not reach the blocks.",
    hint="The embedding and every block normalize. Whom did you tell?",
)
class EpsilonNotInBlocks(Variant):
    def block_options(self) -> dict[str, Any]:
        return {**super().block_options(), "epsilon": 1e-12}


@encoder.whole_mistake(
    "Epsilon does not reach the embedding.",
    hint="The embedding and every block normalize. Whom did you tell?",
)
class EpsilonNotInEmbedding(Variant):
    def embedding_options(self) -> dict[str, Any]:
        return {**super().embedding_options(), "epsilon": 1e-12}


@encoder.whole_mistake(
    "approximate_gelu does not reach the blocks.",
    hint="The encoder does not use it itself. Who does?",
)
class ApproximationForgotten(Variant):
    def block_options(self) -> dict[str, Any]:
        return {**super().block_options(), "approximate_gelu": False}


@encoder.whole_mistake(
    "Nothing is ever dropped in the embedding.",
    hint="The embedding takes dropout, too.",
)
class EmbeddingDropoutForgotten(Variant):
    def embedding_options(self) -> dict[str, Any]:
        return {**super().embedding_options(), "dropout": 0.0}


@encoder.whole_mistake(
    "The parts are not told the dropout, and take their default of 0.1.",
    hint="The embedding and the blocks have a dropout of their own unless they are told one.",
)
class DefaultDropout(Variant):
    def block_options(self) -> dict[str, Any]:
        return {**super().block_options(), "dropout": 0.1}


@encoder.whole_mistake(
    "attention_dropout does not reach the blocks.",
    hint="Without attention_dropout, a block takes its dropout instead.",
)
class AttentionDropoutForgotten(Variant):
    def block_options(self) -> dict[str, Any]:
        return {**super().block_options(), "attention_dropout": None}


@encoder.whole_mistake(
    "The parts are not where the docstring of `build` says, so later cells cannot put published weights there.",
    hint="Compare each name behind `self.` in `build` with the docstring, letter by letter. Does each part have its "
    "weights when `build` is done, before any call?",
)
class OtherNames(keras.Model):
    def __init__(self, *sizes: Any, **options: Any) -> None:
        super().__init__(name=options.pop("name", None), dtype=options.pop("dtype", None))
        self.inner = right.BertEncoder(*sizes, **options, name="inner", dtype=self.dtype_policy)

    def build(self, token_ids_shape: tuple) -> None:
        self.inner.build(token_ids_shape)

    def call(
        self, token_ids: Any, segment_ids: Any = None, padding_mask: Any = None, return_layers: bool = False
    ) -> Any:
        return self.inner(token_ids, segment_ids, padding_mask, return_layers)

    def get_config(self) -> dict[str, Any]:
        return self.inner.get_config()
