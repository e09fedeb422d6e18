"""What goes wrong in Electra."""

from __future__ import annotations

from grading.exercises.objectives.checks import electra

SEEDS = "(self.seed_generator, self.seed_generator) if training else (self.seed, self.seed + 1)"
MASKED_IDS = "masked_ids = ops.where(selected, self.mask_id, token_ids)"
EMBEDDED = "embedding(masked_ids, segment_ids)"
GENERATOR_MASK = ", self._mask(inputs))"
LOGITS = "self.masked_lm_head(guessing, embedding.token_embeddings, positions)"
FAKES = "corrupted, replaced = replaced_tokens(token_ids, positions, weights, logits, seed=seeds[1])"
DETECTIVE_READS = "judging = encode(self.encoder, corrupted, "
JUDGING = f'{DETECTIVE_READS}segment_ids, inputs.get("document_ids"))'
FAKE_LOGITS = 'self.replaced_token_head(judging["sequence_output"])'
FAKE_WEIGHTS = 'ops.cast(is_word, "float32")'
FAKE_LOSSES = 'ops.softplus(ops.where(y_pred["fakes"], -logits, logits))'
FAKE_LOSS = "ops.divide_no_nan(ops.sum(weights * losses), ops.sum(weights))"
KEPT = "self.record(word_loss, fake_loss, y_pred)"
LOSS = "return word_loss + self.weight * fake_loss"


def read_by_blocks(embedded: str, options: str = "") -> dict[str, str]:
    """A change of what the detective reads: embeddings, block by block."""
    read = f"x = block(x, attention_mask=self._mask(inputs){options})"
    return {
        JUDGING: f'x = {embedded}\nfor block in self.encoder.blocks:\n    {read}\njudging = {{"sequence_output": x}}'
    }


electra.mistake(
    "MaskedAsBert",
    "Hidden words are corrupted as `mask_tokens` does it: some of them are shown, and some are random words.",
    hint="Each hidden word becomes [MASK], without exception. Which output of `mask_tokens` says where?",
    change={"_, selected = mask_tokens(": "masked_ids, selected = mask_tokens(", MASKED_IDS: ""},
)
electra.mistake(
    "ShowsTheAnswers",
    "The generator is shown the texts as they are.",
    hint="A generator that sees the words only copies them. What must it be shown?",
    change={MASKED_IDS: "masked_ids = token_ids"},
)
electra.mistake(
    "AsksForMasks",
    "The words that the generator should guess are taken from the masked texts: they are all [MASK].",
    hint="Which ids stood at `positions` before something was hidden?",
    change={"take_along_axis(token_ids": "take_along_axis(masked_ids"},
)
electra.mistake(
    "AlwaysTheSameRate",
    "The rate is ignored: it is always 15%.",
    hint="`self.rate` is known. Both who hides and who looks for the places needs it.",
    change={"rate=self.rate, ": ""},
)
electra.mistake(
    "HidesSpecialTokens",
    "Special tokens are hidden like words.",
    hint="[CLS] and [SEP] are always where they are. Which argument of `mask_tokens` leaves them out?",
    change={"self.special_ids, rate=": "[self.mask_id], rate="},
)
electra.mistake(
    "MasksAmongFakes",
    "Fakes are put into the masked texts, so the detective sees [MASK] where nothing was put.",
    hint="The detective never sees a [MASK]: in use there is none. Into which texts are the fakes put?",
    change={
        FAKES: """
            few = weights * ops.cast(ops.arange(ops.shape(weights)[1]) % 2 == 0, weights.dtype)
            corrupted, replaced = replaced_tokens(masked_ids, positions, few, logits, seed=seeds[1])
        """
    },
)
electra.mistake(
    "DetectiveReadsMasks",
    "The detective reads the masked texts instead of those with fakes.",
    hint="What did `replaced_tokens` return? That is what the detective judges.",
    change={DETECTIVE_READS: "judging = encode(self.encoder, masked_ids, "},
)
electra.mistake(
    "DetectiveReadsTruth",
    "The detective reads the texts as they were: there is nothing to find.",
    hint="What did `replaced_tokens` return? That is what the detective judges.",
    change={DETECTIVE_READS: "judging = encode(self.encoder, token_ids, "},
)
electra.mistake(
    "ComparedWithMasks",
    "A token counts as a fake where it differs from the masked text, so a lucky draw does, too.",
    hint="Compared with [MASK], every word is another one. With which text must it be compared?",
    change={'"fakes": replaced': '"fakes": ops.not_equal(corrupted, masked_ids)'},
)
electra.mistake(
    "OnlyHiddenWords",
    "The detective is asked about the hidden words only, not about every word.",
    hint="That every word tells it something is what ELECTRA is for. Which tokens have a weight?",
    change={FAKE_WEIGHTS: 'ops.cast(selected, "float32")'},
)
electra.mistake(
    "OnlyFakes",
    "The detective is asked about fakes only: who always says fake is right.",
    hint="A detective that accuses everybody has found every fake. Which other tokens must have a weight?",
    change={FAKE_WEIGHTS: 'ops.cast(replaced, "float32")'},
)
electra.mistake(
    "EveryToken",
    "Padding and special tokens count for the detective, too.",
    hint="Nobody replaces them, so there is nothing to learn. Whose ids are in `self.special_ids`?",
    change={FAKE_WEIGHTS: 'ops.ones_like(token_ids, "float32")'},
)
electra.mistake(
    "AllButPadding",
    "[CLS] and [SEP] count for the detective, too, as in the authors' code.",
    hint="Here special tokens have no part. Is padding the only one?",
    change={FAKE_WEIGHTS: 'ops.cast(ops.not_equal(token_ids, self.encoder.padding_id), "float32")'},
)
# Forwards it is the word that was drawn, backwards the mixture.
electra.mistake(
    "SoftFakes",
    "The detective sees a mixture of embeddings instead of a word that was drawn: its loss reaches the generator.",
    hint="The generator learns nothing from being caught. What has no gradient: a softmax, or a word that was drawn?",
    change={
        JUDGING: """
            mixed = ops.matmul(ops.softmax(logits, axis=-1), embedding.token_embeddings)
            x = embedding(corrupted, segment_ids)
            here = ops.one_hot(positions, ops.shape(x)[1], dtype=x.dtype)
            x += ops.einsum("bpl,bph->blh", here, mixed - ops.stop_gradient(mixed))
            for block in self.encoder.blocks:
                x = block(x, attention_mask=self._mask(inputs))
            judging = {"sequence_output": x}
        """
    },
)
electra.mistake(
    "GeneratorDoesNotShare",
    "The generator reads embeddings through which no gradient goes: it does not share them in learning.",
    hint="Both learn from the same embeddings. Where is a gradient stopped?",
    change={
        EMBEDDED: f"ops.stop_gradient({EMBEDDED})",
        "embedding.token_embeddings": "ops.stop_gradient(ops.convert_to_tensor(embedding.token_embeddings))",
    },
)
electra.mistake(
    "DetectiveDoesNotShare",
    "The detective's gradient stops before the embeddings.",
    hint="What the detective learns is to be kept, its embeddings too. Where is a gradient stopped?",
    change=read_by_blocks("ops.stop_gradient(embedding(corrupted, segment_ids))"),
)
electra.mistake(
    "EverythingShared",
    "The generator reads through the encoder's blocks, too: everything is shared, not the embeddings alone.",
    hint="`self.generator` reads what `self.encoder.embedding` gives, and not the encoder's output.",
    change={EMBEDDED: 'encode(self.encoder, masked_ids, segment_ids, inputs.get("document_ids"))["sequence_output"]'},
)
electra.mistake(
    "SegmentsForgotten",
    "segment_ids reach neither reader.",
    hint="Both embed ids *and* segments. Which entries does `inputs` have?",
    change={'inputs.get("segment_ids")': "None"},
)
electra.mistake(
    "DocumentsForgotten",
    "The detective looks into the other documents of its row.",
    hint="`encode` takes document ids. Does it get them?",
    change={', inputs.get("document_ids")': ""},
)
electra.mistake(
    "GeneratorWithoutMask",
    "The generator has no mask: it looks at padding, and into other documents.",
    hint="`self._mask(inputs)` says where it may look. Who is it given to?",
    change={GENERATOR_MASK: ")"},
)
electra.mistake(
    "WordProbabilities",
    "A softmax is applied to the words' logits.",
    hint="`masked_lm_loss` has a softmax of its own, and so has the draw.",
    change={LOGITS: f"ops.softmax({LOGITS}, axis=-1)"},
)
electra.mistake(
    "FakeProbabilities",
    "A sigmoid is applied to the detective's logits.",
    hint="`compute_loss` has the sigmoid in it. Above 0 the detective says fake.",
    change={FAKE_LOGITS: f"ops.sigmoid({FAKE_LOGITS})"},
)
electra.mistake(
    "AlwaysTheSeed",
    "The same words are hidden at each call in training.",
    hint="`self.seed` is one number. What goes on from call to call?",
    change={SEEDS: "(self.seed, self.seed + 1)"},
)
electra.mistake(
    "AlwaysTheGenerator",
    "Other words are hidden at each call outside training, too.",
    hint="Two evaluations should ask the same. When is `self.seed_generator` used, and when `self.seed`?",
    change={SEEDS: "(self.seed_generator, self.seed_generator)"},
)
electra.mistake(
    "SeedIgnored",
    "The seed that the model was made with is ignored outside training.",
    hint="Which number stands where `self.seed` should?",
    change={"(self.seed, self.seed + 1)": "(0, 1)"},
)
electra.mistake(
    "GeneratorAtRest",
    "The generator drops nothing in training, as if it were in use already.",
    hint="Both learn, so both drop features. Who says `training=False`?",
    change={GENERATOR_MASK: ", self._mask(inputs), training=False)"},
)
electra.mistake(
    "DetectiveAtRest",
    "The detective drops nothing in training, as if it were in use already.",
    hint="Both learn, so both drop features. Who says `training=False`?",
    change=read_by_blocks("embedding(corrupted, segment_ids, training=False)", ", training=False"),
)
electra.mistake(
    "LambdaForgotten",
    "λ is forgotten: both losses weigh the same.",
    hint="The detective's loss is small, since it answers yes or no. Which number makes up for it?",
    change={LOSS: "return word_loss + fake_loss"},
)
electra.mistake(
    "LambdaOnWords",
    "λ is a factor of the generator's loss.",
    hint="L = L_MLM + λ L_disc. Which of the two is multiplied?",
    change={LOSS: "return self.weight * word_loss + fake_loss"},
)
electra.mistake(
    "AlwaysFifty",
    "λ is always 50.",
    hint="50 is only what `weight` is unless somebody says otherwise.",
    change={LOSS: "return word_loss + 50.0 * fake_loss"},
)
electra.mistake(
    "Adversarial",
    "The detective's loss is subtracted: the generator learns to be caught, and the detective to be fooled.",
    hint="Nobody plays against anybody here. Both losses are to fall.",
    change={LOSS: "return word_loss - self.weight * fake_loss"},
)
electra.mistake(
    "DetectiveAlone",
    "Only the detective's loss is there: the generator learns nothing.",
    hint="L has two terms. Who teaches the generator words?",
    change={LOSS: "return 0.0 * word_loss + self.weight * fake_loss"},
)
electra.mistake(
    "SumOfFakes",
    "The detective's losses are added up, not averaged: long texts weigh more.",
    hint="It is the mean over what has a weight. What is the sum divided by?",
    change={FAKE_LOSS: "ops.sum(weights * losses)"},
)
electra.mistake(
    "MeanOfAllTokens",
    "The detective's losses are averaged over all tokens, padding and special ones among them.",
    hint="A token of weight 0 has no part, in the sum above and in the number below.",
    change={FAKE_LOSS: "ops.mean(losses)"},
)
electra.mistake(
    "DividedByAllTokens",
    "The sum is divided by the number of all tokens, not by that of the words.",
    hint="How many tokens are in the sum? Those with a weight of 0 are not.",
    change={FAKE_LOSS: "ops.mean(weights * losses)"},
)
electra.mistake(
    "MeanOfTexts",
    "Each text is averaged by itself, and then the texts: a word of a short text counts more.",
    hint="The mean is over all words of the batch. Over which axes do you sum first?",
    change={FAKE_LOSS: "ops.mean(ops.divide_no_nan(ops.sum(weights * losses, axis=-1), ops.sum(weights, axis=-1)))"},
)
electra.mistake(
    "MeanOfFakes",
    "The mean is over fakes alone: who says fake everywhere has no loss.",
    hint="Words that were not replaced are to be judged, too. They are most of them.",
    change={
        f"fake_loss = {FAKE_LOSS}": f'weights = weights * ops.cast(y_pred["fakes"], "float32")\nfake_loss = {FAKE_LOSS}'
    },
)
electra.mistake(
    "NothingByNothing",
    "The loss is NaN where there are no words.",
    hint="0 divided by 0 is no number. `ops.divide_no_nan` knows.",
    change={FAKE_LOSS: "ops.sum(weights * losses) / ops.sum(weights)"},
)
electra.mistake(
    "LogOfSigmoid",
    "The loss is -log σ(u) in two steps: infinite where the detective is sure, and wrong.",
    hint="σ(-200) is 0 in float32, and log 0 is infinite. Which one function is -log σ(u)?",
    change={FAKE_LOSSES: '-ops.log(ops.sigmoid(ops.where(y_pred["fakes"], logits, -logits)))'},
)
electra.mistake(
    "LabelsInverted",
    "The labels are the wrong way round: the detective learns to say fake where nothing was replaced.",
    hint="Above 0 it takes a token for a fake. Which sign of u makes the loss of a fake small?",
    change={FAKE_LOSSES: 'ops.softplus(ops.where(y_pred["fakes"], logits, -logits))'},
)
electra.mistake(
    "HalfPrecision",
    "The loss is computed in half precision.",
    hint="Sums of many words lose their last digits. What dtype do the logits come in?",
    change={
        'logits, weights = ops.cast(y_pred["fake_logits"], "float32"), y_pred["fake_weights"]': """
            logits = ops.convert_to_tensor(y_pred["fake_logits"])
            weights = ops.cast(y_pred["fake_weights"], logits.dtype)
        """,
        LOSS: "return ops.cast(word_loss, fake_loss.dtype) + self.weight * fake_loss",
    },
)
electra.mistake(
    "NothingKept",
    "The metrics are never kept.",
    hint="On the way, `self.record` wants the two losses and what `call` returned.",
    change={KEPT: ""},
)
electra.mistake(
    "WeightedKept",
    "The metrics get the detective's loss multiplied by λ.",
    hint="What is shown is the loss itself, so that it can be compared with log 2.",
    change={KEPT: "self.record(word_loss, self.weight * fake_loss, y_pred)"},
)
electra.mistake(
    "SwappedKept",
    "The two losses are handed to the metrics the wrong way round.",
    hint="`record(word_loss, fake_loss, y_pred)`: which comes first?",
    change={KEPT: "self.record(fake_loss, word_loss, y_pred)"},
)
