"""What goes wrong in Electra where it hides, draws and reads."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.objectives as right
from course.masked_lm import mask_tokens, masked_positions
from course.self_supervision.encoding import encode, encode_embedded
from grading.exercises.objectives.checks import electra


class Variant(right.Electra):
    """`call` in steps, one of which a mistake gets wrong."""

    def seeds(self, training: Any) -> tuple[Any, Any]:
        return (self.seed_generator, self.seed_generator) if training else (self.seed, self.seed + 1)

    def choose(self, token_ids: Any, seed: Any) -> tuple[Any, Any]:
        return mask_tokens(token_ids, self.any_word, self.mask_id, self.special_ids, rate=self.rate, seed=seed)

    def hide(self, token_ids: Any, masked_ids: Any, selected: Any) -> Any:
        return ops.where(selected, self.mask_id, token_ids)

    def embed(self, ids: Any, inputs: dict[str, Any]) -> Any:
        return self.encoder.embedding(ids, inputs.get("segment_ids"))

    def guess(self, ids: Any, inputs: dict[str, Any]) -> Any:
        return self.generator(self.embed(ids, inputs), self._mask(inputs))

    def word_logits(self, guessing: Any, positions: Any) -> Any:
        return self.masked_lm_head(guessing, self.encoder.embedding.token_embeddings, positions)

    def fakes(self, token_ids: Any, masked_ids: Any, positions: Any, weights: Any, logits: Any, seed: Any) -> Any:
        return right.replaced_tokens(token_ids, positions, weights, logits, seed=seed)

    def judge(self, corrupted: Any, inputs: dict[str, Any], logits: Any, positions: Any) -> Any:
        judging = encode(self.encoder, corrupted, inputs.get("segment_ids"), inputs.get("document_ids"))
        return self.replaced_token_head(judging["sequence_output"])

    def words(self, token_ids: Any, masked_ids: Any, positions: Any) -> Any:
        return ops.take_along_axis(token_ids, positions, axis=1)

    def counts(self, token_ids: Any, selected: Any, replaced: Any) -> Any:
        special_ids = ops.convert_to_tensor(list(self.special_ids), dtype="int32")
        return ops.all(ops.not_equal(token_ids[:, :, None], special_ids), axis=-1)

    def call(self, inputs: dict[str, Any], training: Any = None) -> dict[str, Any]:
        token_ids = ops.cast(inputs["token_ids"], "int32")
        seeds = self.seeds(training)
        corrupted_ids, selected = self.choose(token_ids, seeds[0])
        positions, weights = masked_positions(selected, self.rate)
        masked_ids = self.hide(token_ids, corrupted_ids, selected)
        logits = self.word_logits(self.guess(masked_ids, inputs), positions)
        corrupted, replaced = self.fakes(token_ids, masked_ids, positions, weights, logits, seeds[1])
        return {
            "word_logits": logits,
            "words": self.words(token_ids, masked_ids, positions),
            "word_weights": weights,
            "fake_logits": self.judge(corrupted, inputs, logits, positions),
            "fakes": replaced,
            "fake_weights": ops.cast(self.counts(token_ids, selected, replaced), "float32"),
        }


@electra.whole_mistake(
    "Hidden words are corrupted as `mask_tokens` does it: some of them are shown, and some are random words.",
    hint="Each hidden word becomes [MASK], without exception. Which output of `mask_tokens` says where?",
)
class MaskedAsBert(Variant):
    def hide(self, token_ids: Any, masked_ids: Any, selected: Any) -> Any:
        return masked_ids


@electra.whole_mistake(
    "The generator is shown the texts as they are.",
    hint="A generator that sees the words only copies them. What must it be shown?",
)
class ShowsTheAnswers(Variant):
    def hide(self, token_ids: Any, masked_ids: Any, selected: Any) -> Any:
        return token_ids


@electra.whole_mistake(
    "The words that the generator should guess are taken from the masked texts: they are all [MASK].",
    hint="Which ids stood at `positions` before something was hidden?",
)
class AsksForMasks(Variant):
    def words(self, token_ids: Any, masked_ids: Any, positions: Any) -> Any:
        return ops.take_along_axis(masked_ids, positions, axis=1)


@electra.whole_mistake(
    "The rate is ignored: it is always 15%.",
    hint="`self.rate` is known. Both who hides and who looks for the places needs it.",
)
class AlwaysTheSameRate(Variant):
    def choose(self, token_ids: Any, seed: Any) -> tuple[Any, Any]:
        return mask_tokens(token_ids, self.any_word, self.mask_id, self.special_ids, seed=seed)


@electra.whole_mistake(
    "Special tokens are hidden like words.",
    hint="[CLS] and [SEP] are always where they are. Which argument of `mask_tokens` leaves them out?",
)
class HidesSpecialTokens(Variant):
    def choose(self, token_ids: Any, seed: Any) -> tuple[Any, Any]:
        return mask_tokens(token_ids, self.any_word, self.mask_id, [self.mask_id], rate=self.rate, seed=seed)


@electra.whole_mistake(
    "Fakes are put into the masked texts, so the detective sees [MASK] where nothing was put.",
    hint="The detective never sees a [MASK]: in use there is none. Into which texts are the fakes put?",
)
class MasksAmongFakes(Variant):
    def fakes(self, token_ids: Any, masked_ids: Any, positions: Any, weights: Any, logits: Any, seed: Any) -> Any:
        few = weights * ops.cast(ops.arange(ops.shape(weights)[1]) % 2 == 0, weights.dtype)
        return right.replaced_tokens(masked_ids, positions, few, logits, seed=seed)


@electra.whole_mistake(
    "The detective reads the masked texts instead of those with fakes.",
    hint="What did `replaced_tokens` return? That is what the detective judges.",
)
class DetectiveReadsMasks(Variant):
    def fakes(self, token_ids: Any, masked_ids: Any, positions: Any, weights: Any, logits: Any, seed: Any) -> Any:
        return masked_ids, super().fakes(token_ids, masked_ids, positions, weights, logits, seed)[1]


@electra.whole_mistake(
    "The detective reads the texts as they were: there is nothing to find.",
    hint="What did `replaced_tokens` return? That is what the detective judges.",
)
class DetectiveReadsTruth(Variant):
    def fakes(self, token_ids: Any, masked_ids: Any, positions: Any, weights: Any, logits: Any, seed: Any) -> Any:
        return token_ids, super().fakes(token_ids, masked_ids, positions, weights, logits, seed)[1]


@electra.whole_mistake(
    "A token counts as a fake where it differs from the masked text, so a lucky draw does, too.",
    hint="Compared with [MASK], every word is another one. With which text must it be compared?",
)
class ComparedWithMasks(Variant):
    def fakes(self, token_ids: Any, masked_ids: Any, positions: Any, weights: Any, logits: Any, seed: Any) -> Any:
        corrupted, _ = right.replaced_tokens(token_ids, positions, weights, logits, seed=seed)
        return corrupted, ops.not_equal(corrupted, masked_ids)


@electra.whole_mistake(
    "The detective is asked about the hidden words only, not about every word.",
    hint="That every word tells it something is what ELECTRA is for. Which tokens have a weight?",
)
class OnlyHiddenWords(Variant):
    def counts(self, token_ids: Any, selected: Any, replaced: Any) -> Any:
        return selected


@electra.whole_mistake(
    "The detective is asked about fakes only: who always says fake is right.",
    hint="A detective that accuses everybody has found every fake. Which other tokens must have a weight?",
)
class OnlyFakes(Variant):
    def counts(self, token_ids: Any, selected: Any, replaced: Any) -> Any:
        return replaced


@electra.whole_mistake(
    "Padding and special tokens count for the detective, too.",
    hint="Nobody replaces them, so there is nothing to learn. Whose ids are in `self.special_ids`?",
)
class EveryToken(Variant):
    def counts(self, token_ids: Any, selected: Any, replaced: Any) -> Any:
        return ops.ones_like(token_ids)


@electra.whole_mistake(
    "[CLS] and [SEP] count for the detective, too, as in the authors' code.",
    hint="Here special tokens have no part. Is padding the only one?",
)
class AllButPadding(Variant):
    def counts(self, token_ids: Any, selected: Any, replaced: Any) -> Any:
        return ops.not_equal(token_ids, self.encoder.padding_id)


@electra.whole_mistake(
    "The detective sees a mixture of embeddings instead of a word that was drawn: its loss reaches the generator.",
    hint="The generator learns nothing from being caught. What has no gradient: a softmax, or a word that was drawn?",
)
class SoftFakes(Variant):
    def judge(self, corrupted: Any, inputs: dict[str, Any], logits: Any, positions: Any) -> Any:
        mixed = ops.matmul(ops.softmax(logits, axis=-1), self.encoder.embedding.token_embeddings)
        # Forwards it is the word that was drawn, backwards the mixture.
        x = self.embed(corrupted, inputs)
        here = ops.one_hot(positions, ops.shape(x)[1], dtype=x.dtype)  # (batch, predictions, length)
        bent = ops.einsum("bpl,bph->blh", here, mixed - ops.stop_gradient(mixed))
        judging = encode_embedded(self.encoder, x + bent, self._mask(inputs))
        return self.replaced_token_head(judging["sequence_output"])


@electra.whole_mistake(
    "The generator reads embeddings through which no gradient goes: it does not share them in learning.",
    hint="Both learn from the same embeddings. Where is a gradient stopped?",
)
class GeneratorDoesNotShare(Variant):
    def embed(self, ids: Any, inputs: dict[str, Any]) -> Any:
        return ops.stop_gradient(super().embed(ids, inputs))

    def word_logits(self, guessing: Any, positions: Any) -> Any:
        table = ops.stop_gradient(ops.convert_to_tensor(self.encoder.embedding.token_embeddings))
        return self.masked_lm_head(guessing, table, positions)


@electra.whole_mistake(
    "The detective's gradient stops before the embeddings.",
    hint="What the detective learns is to be kept, its embeddings too. Where is a gradient stopped?",
)
class DetectiveDoesNotShare(Variant):
    def judge(self, corrupted: Any, inputs: dict[str, Any], logits: Any, positions: Any) -> Any:
        judging = encode_embedded(self.encoder, ops.stop_gradient(self.embed(corrupted, inputs)), self._mask(inputs))
        return self.replaced_token_head(judging["sequence_output"])


@electra.whole_mistake(
    "The generator reads through the encoder's blocks, too: everything is shared, not the embeddings alone.",
    hint="`self.generator` reads what `self.encoder.embedding` gives, and not the encoder's output.",
)
class EverythingShared(Variant):
    def embed(self, ids: Any, inputs: dict[str, Any]) -> Any:
        return encode(self.encoder, ids, inputs.get("segment_ids"), inputs.get("document_ids"))["sequence_output"]


@electra.whole_mistake(
    "segment_ids reach neither reader.",
    hint="Both embed ids *and* segments. Which entries does `inputs` have?",
)
class SegmentsForgotten(Variant):
    def embed(self, ids: Any, inputs: dict[str, Any]) -> Any:
        return self.encoder.embedding(ids)

    def judge(self, corrupted: Any, inputs: dict[str, Any], logits: Any, positions: Any) -> Any:
        rest = {name: array for name, array in inputs.items() if name != "segment_ids"}
        return super().judge(corrupted, rest, logits, positions)


@electra.whole_mistake(
    "The detective looks into the other documents of its row.",
    hint="`encode` takes document ids. Does it get them?",
)
class DocumentsForgotten(Variant):
    def judge(self, corrupted: Any, inputs: dict[str, Any], logits: Any, positions: Any) -> Any:
        rest = {name: array for name, array in inputs.items() if name != "document_ids"}
        return super().judge(corrupted, rest, logits, positions)


@electra.whole_mistake(
    "The generator has no mask: it looks at padding, and into other documents.",
    hint="`self._mask(inputs)` says where it may look. Who is it given to?",
)
class GeneratorWithoutMask(Variant):
    def guess(self, ids: Any, inputs: dict[str, Any]) -> Any:
        return self.generator(self.embed(ids, inputs))


@electra.whole_mistake(
    "A softmax is applied to the words' logits.",
    hint="`masked_lm_loss` has a softmax of its own, and so has the draw.",
)
class WordProbabilities(Variant):
    def word_logits(self, guessing: Any, positions: Any) -> Any:
        return ops.softmax(super().word_logits(guessing, positions), axis=-1)


@electra.whole_mistake(
    "A sigmoid is applied to the detective's logits.",
    hint="`compute_loss` has the sigmoid in it. Above 0 the detective says fake.",
)
class FakeProbabilities(Variant):
    def judge(self, corrupted: Any, inputs: dict[str, Any], logits: Any, positions: Any) -> Any:
        return ops.sigmoid(super().judge(corrupted, inputs, logits, positions))


@electra.whole_mistake(
    "The same words are hidden at each call in training.",
    hint="`self.seed` is one number. What goes on from call to call?",
)
class AlwaysTheSeed(Variant):
    def seeds(self, training: Any) -> tuple[Any, Any]:
        return self.seed, self.seed + 1


@electra.whole_mistake(
    "Other words are hidden at each call outside training, too.",
    hint="Two evaluations should ask the same. When is `self.seed_generator` used, and when `self.seed`?",
)
class AlwaysTheGenerator(Variant):
    def seeds(self, training: Any) -> tuple[Any, Any]:
        return self.seed_generator, self.seed_generator


@electra.whole_mistake(
    "The seed that the model was made with is ignored outside training.",
    hint="Which number stands where `self.seed` should?",
)
class SeedIgnored(Variant):
    def seeds(self, training: Any) -> tuple[Any, Any]:
        return (self.seed_generator, self.seed_generator) if training else (0, 1)


@electra.whole_mistake(
    "The generator drops nothing in training, as if it were in use already.",
    hint="Both learn, so both drop features. Who says `training=False`?",
)
class GeneratorAtRest(Variant):
    def guess(self, ids: Any, inputs: dict[str, Any]) -> Any:
        return self.generator(self.embed(ids, inputs), self._mask(inputs), training=False)


@electra.whole_mistake(
    "The detective drops nothing in training, as if it were in use already.",
    hint="Both learn, so both drop features. Who says `training=False`?",
)
class DetectiveAtRest(Variant):
    def judge(self, corrupted: Any, inputs: dict[str, Any], logits: Any, positions: Any) -> Any:
        embedded = self.encoder.embedding(corrupted, inputs.get("segment_ids"), training=False)
        x, mask = embedded, self._mask(inputs)
        for each in self.encoder.blocks:
            x = each(x, attention_mask=mask, training=False)
        return self.replaced_token_head(x)
