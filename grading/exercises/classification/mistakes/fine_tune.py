"""What goes wrong in fine_tune."""

from __future__ import annotations

from grading.exercises.classification.checks import tune

WARMUP_STEPS = "int(warmup * total_steps)"
SCHEDULE = f"WarmupLinearDecay(learning_rate, {WARMUP_STEPS}, total_steps)"
OPTIMIZER = "bert_optimizer(model, schedule)"
TRAINING_BATCHES = "batches(inputs, labels, batch_size, random)"
HELD_OUT = "mean_loss(model.test_on_batch, batches(*held_out, batch_size))"
TIME_TO_STOP = "waited == patience"
PUT_BACK = "model.set_weights(best_weights)"

tune.mistake(
    "ConstantRate",
    "The learning rate stays the same from the first step to the last.",
    hint="bert_optimizer takes a schedule as well as a number.",
    change={SCHEDULE: "learning_rate"},
)
tune.mistake(
    "NoWarmup",
    "The learning rate starts at its peak: there is no warm-up.",
    hint="`warmup` is a share. How many steps is that?",
    change={WARMUP_STEPS: "0"},
)
tune.mistake(
    "NeverFalls",
    "The learning rate rises, and then never falls.",
    hint="WarmupLinearDecay ends at 0 where you tell it that the training ends.",
    change={f"{WARMUP_STEPS}, total_steps": f"{WARMUP_STEPS}, 10**9"},
)
tune.mistake(
    "ScheduleOfOneEpoch",
    "The schedule has the steps of one epoch: in the epochs after it, nothing is learned.",
    hint="How many steps are there in all epochs together?",
    change={"epochs * math.ceil(": "math.ceil("},
)
tune.mistake(
    "StepsRoundedDown",
    "The steps of an epoch are rounded down: the last, smaller batch is a step, too.",
    hint="10 texts in batches of 4 are how many steps?",
    change={"math.ceil(len(labels) / batch_size)": "(len(labels) // batch_size)"},
)
tune.mistake(
    "OwnLearningRate",
    "learning_rate is ignored: the optimizer uses its own, 0.001.",
    hint="An optimizer that is named by a text has the learning rate of its makers.",
    change={SCHEDULE: "0.001"},
)
tune.mistake(
    "LogitsAsProbabilities",
    "The loss takes the logits for probabilities.",
    hint="Who applies the softmax, the model or the loss? The loss must be told.",
    change={"from_logits=True": ""},
)
tune.mistake(
    "SummedLoss",
    "The losses of a batch are summed up, not averaged.",
    hint="The size of a batch should not change what its loss is.",
    change={"from_logits=True": 'from_logits=True, reduction="sum"'},
)
tune.mistake(
    "EncoderFrozen",
    "Only the last layer is trained: the encoder stays as it was.",
    hint="Fine-tuning changes all weights. What sets `trainable` to False?",
    change={"total_steps =": "for layer in model.layers[:-1]:\n    layer.trainable = False\ntotal_steps ="},
)
tune.mistake(
    "NoDecay",
    "The matrices do not decay: the optimizer is Adam, not AdamW.",
    hint="bert_optimizer of chapter 7 knows what decays.",
    change={OPTIMIZER: "keras.optimizers.Adam(schedule, epsilon=1e-6)"},
)
tune.mistake(
    "BiasesDecay",
    "The biases decay, too.",
    hint="AdamW pulls at everything unless it is told what to leave alone. Chapter 7 has an optimizer that is.",
    change={OPTIMIZER: "keras.optimizers.AdamW(schedule, weight_decay=0.01, epsilon=1e-6)"},
)
tune.mistake(
    "NeverShuffled",
    "The texts come in the same order in every run and every epoch.",
    hint="`batches` takes a source of random numbers. `seed` says where it starts.",
    change={TRAINING_BATCHES: "batches(inputs, labels, batch_size)"},
)
tune.mistake(
    "LastBatchLeftOut",
    "The last batch is left out where it is smaller.",
    hint="Which texts would never be seen if they were not shuffled?",
    change={TRAINING_BATCHES: f"(batch for batch in {TRAINING_BATCHES} if len(batch[1]) == batch_size)"},
)
tune.mistake(
    "MeanOfMeans",
    "The loss is the mean of the batches' means: texts of a smaller batch count for more.",
    hint="A batch of two must not count as much as one of four. mean_loss takes care of that.",
    change={"np.average(losses, weights=sizes)": "np.mean(losses)"},
)
tune.mistake(
    "HeldOutTrainedOn",
    "The held-out texts are trained on while they are measured.",
    hint="Of train_on_batch and test_on_batch, which one leaves the weights alone?",
    change={HELD_OUT: "mean_loss(model.train_on_batch, batches(*held_out, batch_size))"},
)
tune.mistake(
    "DropoutWhileMeasuring",
    "Dropout is on while the held-out loss is measured.",
    hint="A model that is measured should be as it will be used. What does test_on_batch do that a call does not?",
    change={"model.test_on_batch": "lambda *batch: float(cross_entropy(batch[1], model(batch[0], training=True)))"},
)
tune.mistake(
    "MeasuredOnTraining",
    "What is called the held-out loss is measured on the training texts.",
    hint="Of what has been learned by heart, the loss says nothing. Which texts has the model not seen?",
    change={HELD_OUT: "mean_loss(model.test_on_batch, batches(*training, batch_size))"},
)
tune.mistake(
    "NeverStops",
    "Training never stops early.",
    hint="`patience` says how many epochs without a new lowest loss are one too many.",
    change={TIME_TO_STOP: "False"},
)
tune.mistake(
    "Impatient",
    "Training stops at the first epoch that is not the best so far, whatever patience is.",
    hint="A loss may rise for an epoch and fall again. How many such epochs does `patience` allow?",
    change={TIME_TO_STOP: "waited == 1"},
)
tune.mistake(
    "OneEpochLate",
    "Training stops one epoch too late.",
    hint="With a patience of 1, it stops after the first epoch that is not the best so far.",
    change={TIME_TO_STOP: "waited > patience"},
)
tune.mistake(
    "LastWeightsKept",
    "The model is left with the weights of the last epoch, not of the best.",
    hint="When it is time to stop, the model has been getting worse for a while. Where are its best weights?",
    change={PUT_BACK: ""},
)
tune.mistake(
    "WatchesTraining",
    "The loss in training decides when to stop; it nearly always falls.",
    hint="Stop by the texts that the model does not learn from.",
    change={
        'if history["held_out_loss"][-1] < lowest': 'if history["loss"][-1] < lowest',
        'waited = history["held_out_loss"][-1]': 'waited = history["loss"][-1]',
    },
)
tune.mistake(
    "BestOnlyIfStopped",
    "The best weights are put back only where training stops early; after all epochs, the last ones stay.",
    hint="The last epoch may not be the best one, even if nobody ran out of patience.",
    change={PUT_BACK: f'if len(history["held_out_loss"]) < epochs:\n    {PUT_BACK}'},
)
