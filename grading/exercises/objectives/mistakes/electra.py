"""What goes wrong in Electra."""

from __future__ import annotations

from grading.exercises.objectives.checks import electra

SEEDS = "(self.seed_generator, self.seed_generator) if training else (self.seed, self.seed + 1)"
MASKED_IDS = "masked_ids = ops.where(selected, self.mask_id, token_ids)"
EMBEDDED = "embedding(masked_ids, segment_ids)"
GENERATOR_MASK = ", self._mask(inputs))"
LOGITS = "self.masked_lm_head(guessing, embedding.token_embeddings, positions)"
FAKES = "corrupted, replaced = replaced_tokens(token_ids, positions, weights, logits, seed=seeds[1])"
DISCRIMINATOR_READS = "judging = encode(self.encoder, corrupted, "
JUDGING = f'{DISCRIMINATOR_READS}segment_ids, inputs.get("document_ids"))'
FAKE_LOGITS = 'self.replaced_token_head(judging["sequence_output"])'
FAKE_WEIGHTS = 'ops.cast(is_word, "float32")'
FAKE_LOSSES = 'ops.softplus(ops.where(y_pred["fakes"], -logits, logits))'
FAKE_LOSS = "ops.divide_no_nan(ops.sum(weights * losses), ops.sum(weights))"
KEPT = "self.record(word_loss, fake_loss, y_pred)"
LOSS = "return word_loss + self.weight * fake_loss"


def read_by_blocks(embedded: str, options: str = "") -> dict[str, str]:
    """Return a change that feeds embeddings to the discriminator, block by block."""
    read = f"x = block(x, attention_mask=self._mask(inputs){options})"
    return {
        JUDGING: f'x = {embedded}\nfor block in self.encoder.blocks:\n    {read}\njudging = {{"sequence_output": x}}'
    }


electra.mistake(
    "MaskedAsBert",
    "Hidden words are corrupted as `mask_tokens` does it: some stay visible, and some become random words.",
    hint="Every hidden word becomes [MASK]. Which output of `mask_tokens` says where?",
    change={"_, selected = mask_tokens(": "masked_ids, selected = mask_tokens(", MASKED_IDS: ""},
)
electra.mistake(
    "ShowsTheAnswers",
    "The generator sees the original texts.",
    hint="If the generator sees the words, it only copies them. What must it see instead?",
    change={MASKED_IDS: "masked_ids = token_ids"},
)
electra.mistake(
    "AsksForMasks",
    "The generator's labels come from the masked texts: they are all [MASK].",
    hint="Which ids were at `positions` before masking?",
    change={"take_along_axis(token_ids": "take_along_axis(masked_ids"},
)
electra.mistake(
    "AlwaysTheSameRate",
    "The rate is ignored: it is always 15%.",
    hint="`self.rate` holds it. Both the masking and the search for the hidden places need it.",
    change={"rate=self.rate, ": ""},
)
electra.mistake(
    "HidesSpecialTokens",
    "Special tokens are masked like words.",
    hint="[CLS] and [SEP] have fixed places. Which argument of `mask_tokens` excludes them?",
    change={"self.special_ids, rate=": "[self.mask_id], rate="},
)
electra.mistake(
    "MasksAmongFakes",
    "Fakes are put into the masked texts, so the discriminator still sees [MASK] wherever no fake is put.",
    hint="The discriminator never sees a [MASK], because later tasks have none. Which texts should receive the fakes?",
    change={
        FAKES: """
            few = weights * ops.cast(ops.arange(ops.shape(weights)[1]) % 2 == 0, weights.dtype)
            corrupted, replaced = replaced_tokens(masked_ids, positions, few, logits, seed=seeds[1])
        """
    },
)
electra.mistake(
    "DiscriminatorReadsMasks",
    "The discriminator reads the masked texts instead of those with fakes.",
    hint="What did `replaced_tokens` return? The discriminator judges those texts.",
    change={DISCRIMINATOR_READS: "judging = encode(self.encoder, masked_ids, "},
)
electra.mistake(
    "DiscriminatorReadsTruth",
    "The discriminator reads the original texts, so there is no fake to find.",
    hint="What did `replaced_tokens` return? The discriminator judges those texts.",
    change={DISCRIMINATOR_READS: "judging = encode(self.encoder, token_ids, "},
)
electra.mistake(
    "ComparedWithMasks",
    "A token counts as a fake if it differs from the masked text, even if the generator guessed the right word.",
    hint="Every word differs from [MASK]. Which text should you compare with?",
    change={'"fakes": replaced': '"fakes": ops.not_equal(corrupted, masked_ids)'},
)
electra.mistake(
    "OnlyHiddenWords",
    "The discriminator's loss covers only the hidden words instead of every word.",
    hint="ELECTRA's advantage is that every word teaches the discriminator something. Which tokens have a weight?",
    change={FAKE_WEIGHTS: 'ops.cast(selected, "float32")'},
)
electra.mistake(
    "OnlyFakes",
    'The discriminator\'s loss covers only fakes, so always answering "fake" is right.',
    hint="A discriminator that accuses every word finds every fake. Which other tokens need a weight?",
    change={FAKE_WEIGHTS: 'ops.cast(replaced, "float32")'},
)
electra.mistake(
    "EveryToken",
    "Padding and special tokens count in the discriminator's loss, too.",
    hint="They are never replaced, so there is nothing to learn. Whose ids are in `self.special_ids`?",
    change={FAKE_WEIGHTS: 'ops.ones_like(token_ids, "float32")'},
)
electra.mistake(
    "AllButPadding",
    "[CLS] and [SEP] count in the discriminator's loss, as in the authors' code.",
    hint="Here special tokens do not count. Is padding the only one?",
    change={FAKE_WEIGHTS: 'ops.cast(ops.not_equal(token_ids, self.encoder.padding_id), "float32")'},
)
# The forward pass uses the drawn word, the backward pass the mixture.
electra.mistake(
    "SoftFakes",
    "The discriminator reads a mixture of embeddings instead of a drawn word, so its loss reaches the generator.",
    hint="The generator must not learn from being caught. What has no gradient: a softmax, or a drawn word?",
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
    "The generator's gradient stops before the embeddings, so the two models do not learn them together.",
    hint="Both models train the same embeddings. Where do you stop a gradient?",
    change={
        EMBEDDED: f"ops.stop_gradient({EMBEDDED})",
        "embedding.token_embeddings": "ops.stop_gradient(ops.convert_to_tensor(embedding.token_embeddings))",
    },
)
electra.mistake(
    "DiscriminatorDoesNotShare",
    "The discriminator's gradient stops before the embeddings.",
    hint="The discriminator also trains the embeddings. Where do you stop a gradient?",
    change=read_by_blocks("ops.stop_gradient(embedding(corrupted, segment_ids))"),
)
electra.mistake(
    "EverythingShared",
    "The generator reads the output of the encoder's blocks, so it shares everything instead of only the embeddings.",
    hint="`self.generator` reads the output of `self.encoder.embedding`, not the encoder's output.",
    change={EMBEDDED: 'encode(self.encoder, masked_ids, segment_ids, inputs.get("document_ids"))["sequence_output"]'},
)
electra.mistake(
    "SegmentsForgotten",
    "segment_ids reach neither the generator nor the discriminator.",
    hint="Both embed ids *and* segments. Which entries does `inputs` have?",
    change={'inputs.get("segment_ids")': "None"},
)
electra.mistake(
    "DocumentsForgotten",
    "The discriminator attends to other documents of its row.",
    hint="`encode` takes document ids. Does it get them?",
    change={', inputs.get("document_ids")': ""},
)
electra.mistake(
    "GeneratorWithoutMask",
    "The generator has no mask: it attends to padding and to other documents.",
    hint="`self._mask(inputs)` says where it may attend. Which call receives it?",
    change={GENERATOR_MASK: ")"},
)
electra.mistake(
    "WordProbabilities",
    "A softmax is applied to the words' logits.",
    hint="`masked_lm_loss` contains a softmax, and so does the draw.",
    change={LOGITS: f"ops.softmax({LOGITS}, axis=-1)"},
)
electra.mistake(
    "FakeProbabilities",
    "A sigmoid is applied to the discriminator's logits.",
    hint='`compute_loss` contains the sigmoid. The discriminator answers "fake" above 0.',
    change={FAKE_LOGITS: f"ops.sigmoid({FAKE_LOGITS})"},
)
electra.mistake(
    "AlwaysTheSeed",
    "Training masks the same words at each call.",
    hint="`self.seed` is a constant. What advances from call to call?",
    change={SEEDS: "(self.seed, self.seed + 1)"},
)
electra.mistake(
    "AlwaysTheGenerator",
    "Evaluation masks different words at each call.",
    hint="Two evaluations should mask the same words. When do you use `self.seed_generator`, and when `self.seed`?",
    change={SEEDS: "(self.seed_generator, self.seed_generator)"},
)
electra.mistake(
    "SeedIgnored",
    "Outside training, the model's seed is ignored.",
    hint="Which number is used where `self.seed` should be?",
    change={"(self.seed, self.seed + 1)": "(0, 1)"},
)
electra.mistake(
    "GeneratorAtRest",
    "The generator applies no dropout in training.",
    hint="Both models are trained with dropout. Which call gets `training=False`?",
    change={GENERATOR_MASK: ", self._mask(inputs), training=False)"},
)
electra.mistake(
    "DiscriminatorAtRest",
    "The discriminator applies no dropout in training.",
    hint="Both models are trained with dropout. Which call gets `training=False`?",
    change=read_by_blocks("embedding(corrupted, segment_ids, training=False)", ", training=False"),
)
electra.mistake(
    "LambdaForgotten",
    "λ is missing: both losses have the same weight.",
    hint="The discriminator's loss is small, because it answers yes or no. Which number compensates for that?",
    change={LOSS: "return word_loss + fake_loss"},
)
electra.mistake(
    "LambdaOnWords",
    "λ multiplies the generator's loss.",
    hint="L = L_MLM + λ L_disc. Which loss does λ multiply?",
    change={LOSS: "return self.weight * word_loss + fake_loss"},
)
electra.mistake(
    "AlwaysFifty",
    "λ is always 50.",
    hint="50 is only the default of `weight`.",
    change={LOSS: "return word_loss + 50.0 * fake_loss"},
)
electra.mistake(
    "Adversarial",
    "The discriminator's loss is subtracted, so the discriminator learns to judge wrongly.",
    hint="This is no adversarial game. Both losses should fall.",
    change={LOSS: "return word_loss - self.weight * fake_loss"},
)
electra.mistake(
    "DiscriminatorAlone",
    "The loss has only the discriminator's term, so the generator learns nothing.",
    hint="L has two terms. Which one trains the generator?",
    change={LOSS: "return 0.0 * word_loss + self.weight * fake_loss"},
)
electra.mistake(
    "SumOfFakes",
    "The discriminator's losses are summed instead of averaged, so long texts weigh more.",
    hint="The mean is over the tokens with a weight. What do you divide the sum by?",
    change={FAKE_LOSS: "ops.sum(weights * losses)"},
)
electra.mistake(
    "MeanOfAllTokens",
    "The discriminator's losses are averaged over all tokens, padding and special ones included.",
    hint="A token of weight 0 counts neither in the numerator nor in the denominator.",
    change={FAKE_LOSS: "ops.mean(losses)"},
)
electra.mistake(
    "DividedByAllTokens",
    "The sum is divided by the number of all tokens instead of the number of words.",
    hint="How many tokens does the sum include? Those of weight 0 are not in it.",
    change={FAKE_LOSS: "ops.mean(weights * losses)"},
)
electra.mistake(
    "MeanOfTexts",
    "Each text is averaged separately, then the texts, so a word of a short text counts more.",
    hint="The mean is over all words of the batch. Over which axes do you sum first?",
    change={FAKE_LOSS: "ops.mean(ops.divide_no_nan(ops.sum(weights * losses, axis=-1), ops.sum(weights, axis=-1)))"},
)
electra.mistake(
    "MeanOfFakes",
    'The mean covers only fakes, so always answering "fake" has no loss.',
    hint="Most words were not replaced, and the discriminator judges these, too.",
    change={
        f"fake_loss = {FAKE_LOSS}": f'weights = weights * ops.cast(y_pred["fakes"], "float32")\nfake_loss = {FAKE_LOSS}'
    },
)
electra.mistake(
    "NothingByNothing",
    "The loss is NaN if there are no words.",
    hint="0 / 0 is NaN. What does `ops.divide_no_nan` do?",
    change={FAKE_LOSS: "ops.sum(weights * losses) / ops.sum(weights)"},
)
electra.mistake(
    "LogOfSigmoid",
    "The loss computes -log σ(u) in two steps, so it is infinite where the discriminator is sure and wrong.",
    hint="σ(-200) is 0 in float32, and log 0 is infinite. Which single function computes -log σ(u)?",
    change={FAKE_LOSSES: '-ops.log(ops.sigmoid(ops.where(y_pred["fakes"], logits, -logits)))'},
)
electra.mistake(
    "LabelsInverted",
    'The labels are inverted: the discriminator learns to answer "fake" where nothing was replaced.',
    hint='Above 0 the discriminator answers "fake". Which sign of u makes the loss of a fake small?',
    change={FAKE_LOSSES: 'ops.softplus(ops.where(y_pred["fakes"], logits, -logits))'},
)
electra.mistake(
    "HalfPrecision",
    "The loss is computed in half precision.",
    hint="Sums over many words lose their last digits. Which dtype do the logits have?",
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
    "The metrics are never updated.",
    hint="`self.record` takes the two losses and the output of `call`.",
    change={KEPT: ""},
)
electra.mistake(
    "WeightedKept",
    "The metrics record the discriminator's loss times λ.",
    hint="The displayed loss should be comparable with log 2.",
    change={KEPT: "self.record(word_loss, self.weight * fake_loss, y_pred)"},
)
electra.mistake(
    "SwappedKept",
    "The metrics receive the two losses in the wrong order.",
    hint="`record(word_loss, fake_loss, y_pred)`: which comes first?",
    change={KEPT: "self.record(fake_loss, word_loss, y_pred)"},
)
