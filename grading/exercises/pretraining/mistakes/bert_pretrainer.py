"""What goes wrong in BertPretrainer."""

from __future__ import annotations

from grading.exercises.pretraining.checks import pretrainer

# The lines of compute_loss.
TOTAL = "return word_loss + pair_loss"
RECORDED = "self.record(word_loss, y, y_pred)"
# The lines of call.
SEED = "self.seed_generator if training else self.seed"
MASKED = """mask_tokens(
    token_ids, self.unigram_probabilities, self.mask_id, self.special_ids, rate=self.rate, seed=seed
)"""
POSITIONS = "positions, weights = masked_positions(selected, self.rate)"
WORD_LOGITS = 'self.masked_lm_head(outputs["sequence_output"], embeddings, positions)'
POOLED = 'outputs["pooled_output"]'

pretrainer.mistake(
    "WordsAlone",
    "The loss is that of the masked words alone.",
    hint="BERT learns two tasks at once. Who learns nothing under your loss?",
    change={TOTAL: "return word_loss"},
)
pretrainer.mistake(
    "PairsAlone",
    "The loss is that of the next sentence alone.",
    hint="BERT learns two tasks at once. Who learns nothing under your loss?",
    change={TOTAL: "return pair_loss"},
)
pretrainer.mistake(
    "MeanOfBoth",
    "The mean of both losses is taken instead of their sum.",
    hint="Look at the equation in the docstring once more.",
    change={TOTAL: "return (word_loss + pair_loss) / 2"},
)
pretrainer.mistake(
    "WeightsForgotten",
    "The loss of the words counts positions that only fill up a row.",
    hint="`masked_lm_loss` wants to know which words count.",
    change={"(words, logits, weights)": "(words, logits, ops.ones_like(weights))"},
)
pretrainer.mistake(
    "LabelsTurnedRound",
    "The labels of the next sentence are turned round.",
    hint="0 is the next sentence, in the labels and in the logits alike.",
    change={"next_sentence_loss(y, ": "next_sentence_loss(1 - y, "},
)
pretrainer.mistake(
    "WeightedByCount",
    "Each loss is weighted by the size of its task: a sentence counts no more than a word.",
    hint="Each loss is a mean already. The equation adds them up as they are.",
    change={
        TOTAL: """
            word_count, pair_count = ops.sum(weights), ops.cast(ops.shape(words)[0], "float32")
            return (word_count * word_loss + pair_count * pair_loss) / (word_count + pair_count)
        """
    },
)
pretrainer.mistake(
    "NothingRecorded",
    "The metrics are not kept: self.record is never called.",
    hint="The docstring names a method that keeps them. Without it, training shows zeros.",
    change={RECORDED: ""},
)
pretrainer.mistake(
    "SumRecorded",
    "The sum of both losses is recorded as the loss of the words.",
    hint="What is the first argument of `self.record`?",
    change={RECORDED: "self.record(word_loss + pair_loss, y, y_pred)"},
)
pretrainer.mistake(
    "ShowsTheAnswers",
    "The encoder is shown the texts as they are, not the masked ones.",
    hint="`mask_tokens` returns two things. Which of them should the encoder see?",
    change={"self.encoder(masked_ids, ": "self.encoder(token_ids, "},
)
pretrainer.mistake(
    "WordsFromMaskedTexts",
    "The words to be guessed are taken from the masked texts: most of them are [MASK].",
    hint="What should be guessed is what stood there before. In which tensor is it still?",
    change={"take_along_axis(token_ids, ": "take_along_axis(masked_ids, "},
)
pretrainer.mistake(
    "WordsEverywhere",
    "The head is not told where words are masked, and scores them everywhere.",
    hint="`MaskedLMHead` takes a third argument.",
    change={"embeddings, positions": "embeddings"},
)
pretrainer.mistake(
    "Probabilities",
    "The scores of the words go through a softmax before the loss, which has one of its own.",
    hint="What a head returns are logits. Who turns them into probabilities?",
    change={WORD_LOGITS: f"ops.softmax({WORD_LOGITS})"},
)
pretrainer.mistake(
    "RateForgottenInMasking",
    "self.rate is not handed on to mask_tokens, which masks its usual 15%.",
    hint="The model was made with a rate. Who has to know it?",
    change={"rate=self.rate, ": ""},
)
pretrainer.mistake(
    "RateForgottenInPositions",
    "self.rate is not handed on to masked_positions, which makes room for its usual 15%.",
    hint="How many words a row can have depends on the rate. Who has to know it?",
    change={"(selected, self.rate)": "(selected)"},
)
pretrainer.mistake(
    "AllWeightsOne",
    "Every position has the weight 1, even those that only fill up a row.",
    hint="`masked_positions` returns two things.",
    change={'"word_weights": weights': '"word_weights": ops.ones_like(weights)'},
)
pretrainer.mistake(
    "SpecialTokensMasked",
    "Special tokens are masked: only padding and [MASK] are kept out.",
    hint="[CLS] and [SEP] are no words either. The model knows which ids are special.",
    change={"self.special_ids, rate": "(self.encoder.padding_id, self.mask_id), rate"},
)
pretrainer.mistake(
    "SameMasksInTraining",
    "The masks are the same in every epoch: an integer is the seed in training, too.",
    hint="What does `keras.random` do with an integer, and what with a SeedGenerator?",
    change={SEED: "self.seed"},
)
pretrainer.mistake(
    "NewMasksInEvaluation",
    "Evaluations cannot be compared: outside training, too, the masks are drawn anew.",
    hint="Outside training, the masks depend on `self.seed` alone. Which of the two calls should move the generator?",
    change={SEED: "self.seed_generator"},
)
pretrainer.mistake(
    "WrongWayRound",
    "`training` is used the wrong way round: new masks outside training, the same ones within.",
    hint="Read your line aloud: if training, then which seed?",
    change={SEED: "self.seed if training else self.seed_generator"},
)
pretrainer.mistake(
    "FixedSeed",
    "Outside training, the seed is a fixed number instead of the model's own.",
    hint="The model was made with a seed. Where is it kept?",
    change={SEED: "self.seed_generator if training else 0"},
)
pretrainer.mistake(
    "UnmaskedEvaluation",
    "Nothing is masked outside training, so an evaluation only has to copy.",
    hint="A guess at a word that can be seen says nothing. What should differ outside training is the seed alone.",
    change={"self.encoder(masked_ids, ": "self.encoder(masked_ids if training else token_ids, "},
)
pretrainer.mistake(
    "MaskedTwice",
    "The texts are masked twice: the words are asked for where a second draw has masked them.",
    hint="A SeedGenerator gives other numbers at each call. How often should `mask_tokens` be called?",
    change={POSITIONS: f"_, selected = {MASKED}\n{POSITIONS}"},
)
pretrainer.mistake(
    "SegmentsForgotten",
    "The segments are not handed on to the encoder.",
    hint="Without them the model cannot tell the first sentence from the second. What is in `inputs`?",
    change={'inputs["segment_ids"], inputs.get': "padding_mask=inputs.get"},
)
pretrainer.mistake(
    "PaddingForgotten",
    "The padding mask is not handed on to the encoder.",
    hint="There may be a third entry in `inputs`.",
    change={', inputs.get("padding_mask")': ""},
)
pretrainer.mistake(
    "FirstTokenUnpooled",
    "The head of the next sentence reads the first token as it is, not the pooled output.",
    hint="The encoder returns two outputs. Which one was made for whole texts?",
    change={POOLED: 'outputs["sequence_output"][:, 0]'},
)
pretrainer.mistake(
    "MeanOfTokens",
    "The head of the next sentence reads the mean over all tokens, not the pooled output.",
    hint="Which token has BERT for what is true of the whole text?",
    change={POOLED: 'ops.mean(outputs["sequence_output"], axis=1)'},
)
