"""What goes wrong in BertPretrainer where it masks, encodes and guesses."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.pretraining as right
from course.masked_lm import mask_tokens, masked_positions
from grading.exercises.pretraining.checks import pretrainer


class Variant(right.BertPretrainer):
    """`call` in steps, one of which a mistake gets wrong."""

    def options(self, training: Any) -> dict[str, Any]:
        return {"rate": self.rate, "seed": self.seed_generator if training else self.seed}

    def mask(self, token_ids: Any, training: Any) -> tuple[Any, Any]:
        options = self.options(training)
        return mask_tokens(token_ids, self.unigram_probabilities, self.mask_id, self.special_ids, **options)

    def positions(self, selected: Any) -> tuple[Any, Any]:
        return masked_positions(selected, self.rate)

    def encode(self, masked_ids: Any, token_ids: Any, selected: Any, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(masked_ids, inputs["segment_ids"], inputs.get("padding_mask"))

    def words(self, token_ids: Any, masked_ids: Any, positions: Any) -> Any:
        return ops.take_along_axis(token_ids, positions, axis=1)

    def word_logits(self, sequence_output: Any, positions: Any) -> Any:
        return self.masked_lm_head(sequence_output, self.encoder.embedding.token_embeddings, positions)

    def pair_logits(self, outputs: dict[str, Any]) -> Any:
        return self.next_sentence_head(outputs["pooled_output"])

    def call(self, inputs: dict[str, Any], training: Any = None) -> dict[str, Any]:
        token_ids = ops.cast(inputs["token_ids"], "int32")
        masked_ids, selected = self.mask(token_ids, training)
        positions, weights = self.positions(selected)
        outputs = self.encode(masked_ids, token_ids, selected, inputs)
        return {
            "word_logits": self.word_logits(outputs["sequence_output"], positions),
            "words": self.words(token_ids, masked_ids, positions),
            "word_weights": weights,
            "next_sentence_logits": self.pair_logits(outputs),
        }


@pretrainer.whole_mistake(
    "The encoder is shown the texts as they are, not the masked ones.",
    hint="`mask_tokens` returns two things. Which of them should the encoder see?",
)
class ShowsTheAnswers(Variant):
    def encode(self, masked_ids: Any, token_ids: Any, selected: Any, inputs: dict[str, Any]) -> dict[str, Any]:
        return super().encode(token_ids, token_ids, selected, inputs)


@pretrainer.whole_mistake(
    "The words to be guessed are taken from the masked texts: most of them are [MASK].",
    hint="What should be guessed is what stood there before. In which tensor is it still?",
)
class WordsFromMaskedTexts(Variant):
    def words(self, token_ids: Any, masked_ids: Any, positions: Any) -> Any:
        return super().words(masked_ids, masked_ids, positions)


@pretrainer.whole_mistake(
    "The head is not told where words are masked, and scores them everywhere.",
    hint="`MaskedLMHead` takes a third argument.",
)
class WordsEverywhere(Variant):
    def word_logits(self, sequence_output: Any, positions: Any) -> Any:
        return self.masked_lm_head(sequence_output, self.encoder.embedding.token_embeddings)


@pretrainer.whole_mistake(
    "The scores of the words go through a softmax before the loss, which has one of its own.",
    hint="What a head returns are logits. Who turns them into probabilities?",
)
class Probabilities(Variant):
    def word_logits(self, sequence_output: Any, positions: Any) -> Any:
        return ops.softmax(super().word_logits(sequence_output, positions))


@pretrainer.whole_mistake(
    "self.rate is not handed on to mask_tokens, which masks its usual 15%.",
    hint="The model was made with a rate. Who has to know it?",
)
class RateForgottenInMasking(Variant):
    def options(self, training: Any) -> dict[str, Any]:
        return {**super().options(training), "rate": 0.15}


@pretrainer.whole_mistake(
    "self.rate is not handed on to masked_positions, which makes room for its usual 15%.",
    hint="How many words a row can have depends on the rate. Who has to know it?",
)
class RateForgottenInPositions(Variant):
    def positions(self, selected: Any) -> tuple[Any, Any]:
        return masked_positions(selected)


@pretrainer.whole_mistake(
    "Every position has the weight 1, even those that only fill up a row.",
    hint="`masked_positions` returns two things.",
)
class AllWeightsOne(Variant):
    def positions(self, selected: Any) -> tuple[Any, Any]:
        positions, weights = super().positions(selected)
        return positions, ops.ones_like(weights)


@pretrainer.whole_mistake(
    "Special tokens are masked: only padding and [MASK] are kept out.",
    hint="[CLS] and [SEP] are no words either. The model knows which ids are special.",
)
class SpecialTokensMasked(Variant):
    def mask(self, token_ids: Any, training: Any) -> tuple[Any, Any]:
        kept_out = (self.encoder.padding_id, self.mask_id)
        options = self.options(training)
        return mask_tokens(token_ids, self.unigram_probabilities, self.mask_id, kept_out, **options)


@pretrainer.whole_mistake(
    "The masks are the same in every epoch: an integer is the seed in training, too.",
    hint="What does `keras.random` do with an integer, and what with a SeedGenerator?",
)
class SameMasksInTraining(Variant):
    def options(self, training: Any) -> dict[str, Any]:
        return {"rate": self.rate, "seed": self.seed}


@pretrainer.whole_mistake(
    "Evaluations cannot be compared: outside training, too, the masks are drawn anew.",
    hint="Outside training, the masks depend on `self.seed` alone. Which of the two calls should move the generator?",
)
class NewMasksInEvaluation(Variant):
    def options(self, training: Any) -> dict[str, Any]:
        return {"rate": self.rate, "seed": self.seed_generator}


@pretrainer.whole_mistake(
    "`training` is used the wrong way round: new masks outside training, the same ones within.",
    hint="Read your line aloud: if training, then which seed?",
)
class WrongWayRound(Variant):
    def options(self, training: Any) -> dict[str, Any]:
        return super().options(not training)


@pretrainer.whole_mistake(
    "Outside training, the seed is a fixed number instead of the model's own.",
    hint="The model was made with a seed. Where is it kept?",
)
class FixedSeed(Variant):
    def options(self, training: Any) -> dict[str, Any]:
        return {"rate": self.rate, "seed": self.seed_generator if training else 0}


@pretrainer.whole_mistake(
    "Nothing is masked outside training, so an evaluation only has to copy.",
    hint="A guess at a word that can be seen says nothing. What should differ outside training is the seed alone.",
)
class UnmaskedEvaluation(Variant):
    def mask(self, token_ids: Any, training: Any) -> tuple[Any, Any]:
        masked_ids, selected = super().mask(token_ids, training)
        return (masked_ids if training else token_ids), selected


@pretrainer.whole_mistake(
    "The texts are masked twice: the words are asked for where a second draw has masked them.",
    hint="A SeedGenerator gives other numbers at each call. How often should `mask_tokens` be called?",
)
class MaskedTwice(Variant):
    def mask(self, token_ids: Any, training: Any) -> tuple[Any, Any]:
        return super().mask(token_ids, training)[0], super().mask(token_ids, training)[1]


@pretrainer.whole_mistake(
    "The segments are not handed on to the encoder.",
    hint="Without them the model cannot tell the first sentence from the second. What is in `inputs`?",
)
class SegmentsForgotten(Variant):
    def encode(self, masked_ids: Any, token_ids: Any, selected: Any, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(masked_ids, padding_mask=inputs.get("padding_mask"))


@pretrainer.whole_mistake(
    "The padding mask is not handed on to the encoder.",
    hint="There may be a third entry in `inputs`.",
)
class PaddingForgotten(Variant):
    def encode(self, masked_ids: Any, token_ids: Any, selected: Any, inputs: dict[str, Any]) -> dict[str, Any]:
        return self.encoder(masked_ids, inputs["segment_ids"])


@pretrainer.whole_mistake(
    "The head of the next sentence reads the first token as it is, not the pooled output.",
    hint="The encoder returns two outputs. Which one was made for whole texts?",
)
class FirstTokenUnpooled(Variant):
    def pair_logits(self, outputs: dict[str, Any]) -> Any:
        return self.next_sentence_head(outputs["sequence_output"][:, 0])


@pretrainer.whole_mistake(
    "The head of the next sentence reads the mean over all tokens, not the pooled output.",
    hint="Which token has BERT for what is true of the whole text?",
)
class MeanOfTokens(Variant):
    def pair_logits(self, outputs: dict[str, Any]) -> Any:
        return self.next_sentence_head(keras.ops.mean(outputs["sequence_output"], axis=1))
