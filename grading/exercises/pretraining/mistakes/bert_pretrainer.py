"""Known mistakes in BertPretrainer."""

from __future__ import annotations

from grading.exercises.pretraining.checks import pretrainer

# The lines of compute_loss.
TOTAL = "return word_loss + pair_loss"
LOSS = "word_loss = masked_lm_loss(words, logits, weights)"
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
    "The loss contains only the masked words.",
    hint="BERT learns two tasks at once. Which head learns nothing from your loss?",
    change={TOTAL: "return word_loss"},
)
pretrainer.mistake(
    "PairsAlone",
    "The loss contains only the next sentence.",
    hint="BERT learns two tasks at once. Which head learns nothing from your loss?",
    change={TOTAL: "return pair_loss"},
)
pretrainer.mistake(
    "MeanOfBoth",
    "The loss is the mean of both losses instead of their sum.",
    hint="Does the equation in the docstring divide by anything?",
    change={TOTAL: "return (word_loss + pair_loss) / 2"},
)
pretrainer.mistake(
    "WeightsForgotten",
    "The loss of the words counts positions that only pad a row.",
    hint="Which argument tells `masked_lm_loss` which words count?",
    change={"(words, logits, weights)": "(words, logits, ops.ones_like(weights))"},
)
pretrainer.mistake(
    "LabelsTurnedRound",
    "The labels of the next sentence are swapped.",
    hint="0 means the next sentence, both in the labels and in the logits.",
    change={"next_sentence_loss(y, ": "next_sentence_loss(1 - y, "},
)
pretrainer.mistake(
    "WeightedByCount",
    "Each loss is weighted by its number of predictions, so a sentence counts no more than a word.",
    hint="Each loss is a mean already. How does the equation combine them?",
    change={
        TOTAL: """
            word_count, pair_count = ops.sum(weights), ops.cast(ops.shape(words)[0], "float32")
            return (word_count * word_loss + pair_count * pair_loss) / (word_count + pair_count)
        """
    },
)
pretrainer.mistake(
    "SampleWeightsUsed",
    "The loss changes with sample_weight, which it should not use.",
    hint="The docstring says of each argument what becomes of it.",
    change={TOTAL: "return word_loss + pair_loss * (1.0 if sample_weight is None else ops.mean(sample_weight))"},
)
pretrainer.mistake(
    "NothingRecorded",
    "The metrics are not recorded: self.record is never called.",
    hint="Training shows zeros. Which method in the docstring records the metrics?",
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
    "The encoder sees the original texts instead of the masked ones.",
    hint="`mask_tokens` returns two things. Which of them should the encoder see?",
    change={"self.encoder(masked_ids, ": "self.encoder(token_ids, "},
)
pretrainer.mistake(
    "WordsFromMaskedTexts",
    "The words to predict are taken from the masked texts, so most of them are [MASK].",
    hint="The model should predict the original words. Which tensor still holds them?",
    change={"take_along_axis(token_ids, ": "take_along_axis(masked_ids, "},
)
pretrainer.mistake(
    "WordsEverywhere",
    "The head does not get the positions of masked words, and scores all tokens.",
    hint="What is the third argument of `MaskedLMHead`?",
    change={"embeddings, positions": "embeddings"},
)
pretrainer.mistake(
    "AllAtFirst",
    "The vocabulary is scored at every position, and the masked ones are picked from the result.",
    hint="At 15%, that is seven times the work for the same numbers. What does `MaskedLMHead` do with positions?",
    change={
        WORD_LOGITS: """
            ops.take_along_axis(
                self.masked_lm_head(outputs["sequence_output"], embeddings), positions[:, :, None], axis=1
            )
        """
    },
)
pretrainer.mistake(
    "Probabilities",
    "The scores of the words go through a softmax before the loss, which has one of its own.",
    hint="A head returns logits. Which function turns them into probabilities?",
    change={WORD_LOGITS: f"ops.softmax({WORD_LOGITS})"},
)
pretrainer.mistake(
    "RateForgottenInMasking",
    "self.rate is not passed on to mask_tokens, which masks its default of 15%.",
    hint="The model was given a rate. Which functions need it?",
    change={"rate=self.rate, ": ""},
)
pretrainer.mistake(
    "RateForgottenInPositions",
    "self.rate is not passed on to masked_positions, which makes room for its default of 15%.",
    hint="The rate decides how many masked words a row can have. Which functions need it?",
    change={"(selected, self.rate)": "(selected)"},
)
pretrainer.mistake(
    "AllWeightsOne",
    "Every position has weight 1, even those that only pad a row.",
    hint="`masked_positions` returns two things. Where do you use the second?",
    change={'"word_weights": weights': '"word_weights": ops.ones_like(weights)'},
)
pretrainer.mistake(
    "SpecialTokensMasked",
    "Special tokens are masked, except for padding and [MASK].",
    hint="[CLS] and [SEP] are not words either. Which attribute lists the special ids?",
    change={"self.special_ids, rate": "(self.encoder.padding_id, self.mask_id), rate"},
)
pretrainer.mistake(
    "SameMasksInTraining",
    "The masks are the same in every epoch: the seed is an integer even in training.",
    hint="What does `keras.random` do with an integer, and what with a SeedGenerator?",
    change={SEED: "self.seed"},
)
pretrainer.mistake(
    "NewMasksInEvaluation",
    "New masks are drawn outside of training, so evaluations cannot be compared.",
    hint="Outside training, the masks depend only on `self.seed`. Which of the two calls should advance the generator?",
    change={SEED: "self.seed_generator"},
)
pretrainer.mistake(
    "WrongWayRound",
    "`training` is inverted: the masks are new outside training, and the same in training.",
    hint="Read your line aloud. In training, which seed does it use?",
    change={SEED: "self.seed if training else self.seed_generator"},
)
pretrainer.mistake(
    "FixedSeed",
    "Outside training, the seed is a fixed number instead of self.seed.",
    hint="The model was given a seed. Which attribute holds it?",
    change={SEED: "self.seed_generator if training else 0"},
)
pretrainer.mistake(
    "UnmaskedEvaluation",
    "Nothing is masked outside training, so an evaluation only measures copying.",
    hint="Predicting a visible word proves nothing. What alone should differ outside training?",
    change={"self.encoder(masked_ids, ": "self.encoder(masked_ids if training else token_ids, "},
)
pretrainer.mistake(
    "MaskedTwice",
    "The texts are masked twice: the positions come from another draw than the masked texts.",
    hint="A SeedGenerator gives new numbers at each call. How often should `mask_tokens` be called?",
    change={POSITIONS: f"_, selected = {MASKED}\n{POSITIONS}"},
)
pretrainer.mistake(
    "SegmentsForgotten",
    "The segments are not passed on to the encoder.",
    hint="Without them, the model cannot distinguish the two sentences. What does `inputs` contain?",
    change={'inputs["segment_ids"], inputs.get': "padding_mask=inputs.get"},
)
pretrainer.mistake(
    "PaddingForgotten",
    "The padding mask is not passed on to the encoder.",
    hint="`inputs` may have a third entry. Where do you use it?",
    change={', inputs.get("padding_mask")': ""},
)
pretrainer.mistake(
    "FirstTokenUnpooled",
    "The next-sentence head gets the first token's output instead of the pooled output.",
    hint="The encoder returns two outputs. Which one stands for the whole text?",
    change={POOLED: 'outputs["sequence_output"][:, 0]'},
)
pretrainer.mistake(
    "MeanOfTokens",
    "The next-sentence head gets the mean over all tokens instead of the pooled output.",
    hint="Which token stands for the whole text in BERT?",
    change={POOLED: 'ops.mean(outputs["sequence_output"], axis=1)'},
)
pretrainer.mistake(
    "MaskOfOnes",
    "Without a padding_mask, all places count as tokens; the encoder would find the padding itself.",
    hint="What does the encoder do if its padding_mask is None?",
    change={
        'inputs.get("padding_mask")': 'inputs.get("padding_mask", ops.ones_like(token_ids, dtype="bool"))',
    },
)
pretrainer.mistake(
    "DtypeOfTheIds",
    "The words come in the dtype of the given ids; they must be int32, whatever that is.",
    hint="Which dtype has np.array([[5, 6]])? And which one have your words then?",
    change={'ops.cast(inputs["token_ids"], "int32")': 'inputs["token_ids"]'},
)
pretrainer.mistake(
    "PythonIf",
    "A Python `if` looks at numbers that have no value yet in a compiled step.",
    hint="`masked_lm_loss` has an answer even if no word is masked. What do you need the `if` for?",
    change={LOSS: f"{LOSS} if float(ops.sum(weights)) > 0 else 0.0"},
)
pretrainer.mistake(
    "DividedByNoWords",
    "The loss is NaN if no word of a batch is masked: it is divided by their number, 0.",
    hint="What does `masked_lm_loss` give where all weights are 0?",
    change={
        LOSS: """
            losses = ops.sparse_categorical_crossentropy(words, ops.cast(logits, "float32"), from_logits=True)
            word_loss = ops.sum(losses * weights) / ops.sum(weights)
        """
    },
)
pretrainer.mistake(
    "SeedOfPython",
    "In training, Python draws the seed, which it does once for all steps that are compiled: they have the same masks.",
    hint="When does a line of Python run in a compiled step? Which generator keeps its state in a variable of Keras?",
    change={SEED: "np.random.randint(2**20) if training else self.seed"},
)
