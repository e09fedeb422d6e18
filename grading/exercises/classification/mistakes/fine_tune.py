"""Known mistakes in fine_tune."""

from __future__ import annotations

from grading.exercises.classification.checks import tune

WARMUP_STEPS = "int(warmup * total_steps)"
MODEL_BUILT = "num_classes = model({name: array[:1] for name, array in inputs.items()}).shape[-1]"
SCHEDULE = f"WarmupLinearDecay(learning_rate, {WARMUP_STEPS}, total_steps)"
OPTIMIZER = "bert_optimizer(model, schedule)"
TRAINING_BATCHES = "batches(inputs, labels, batch_size, random)"
HELD_OUT = "mean_loss(model.test_on_batch, batches(*held_out, batch_size))"
TIME_TO_STOP = "waited == patience"
LATEST = 'history["held_out_loss"][-1]'
PUT_BACK = "model.set_weights(best_weights)"

tune.mistake(
    "NotBuilt",
    "A model that is not built yet is refused: its optimizer is made before its weights.",
    hint="When does a Keras model make its weights, and when does your function need them?",
    change={MODEL_BUILT: "num_classes = 10**6"},
)
tune.mistake(
    "TrainableWeightsAlone",
    "Only the weights that learn are put back, and not those that training changes otherwise, such as moving means.",
    hint="A BatchNormalization has weights without a gradient. Which attribute of a model lists all of its weights?",
    change={
        "math.inf, model.get_weights(), 0": "math.inf, [np.array(one) for one in model.trainable_variables], 0",
        f"{LATEST}, model.get_weights(), 0": f"{LATEST}, [np.array(one) for one in model.trainable_variables], 0",
        PUT_BACK: "for variable, value in zip(model.trainable_variables, best_weights):\n    variable.assign(value)",
    },
)
tune.mistake(
    "ConstantRate",
    "The learning rate stays the same from the first step to the last.",
    hint="What can bert_optimizer take in place of a number?",
    change={SCHEDULE: "learning_rate"},
)
tune.mistake(
    "NoWarmup",
    "The learning rate starts at its peak: there is no warm-up.",
    hint="`warmup` is a share. How many steps is that?",
    change={WARMUP_STEPS: "0"},
)
tune.mistake(
    "WarmupRounded",
    "The steps of the warm-up are rounded to the nearest whole number, or up; they must be rounded down.",
    hint="`int` and `round` differ where the fraction is a half or more. Which one does the docstring ask for?",
    change={WARMUP_STEPS: "round(warmup * total_steps)"},
)
tune.mistake(
    "NeverFalls",
    "The learning rate rises, and then never falls.",
    hint="WarmupLinearDecay reaches 0 at `total_steps`. Which number did you give it?",
    change={f"{WARMUP_STEPS}, total_steps": f"{WARMUP_STEPS}, 10**9"},
)
tune.mistake(
    "ZeroAtTheLastStep",
    "The learning rate is 0 at the last step already, so that step changes nothing.",
    hint="The first step has the number 0. Which number has the last one, and where should the rate be 0?",
    change={f"{WARMUP_STEPS}, total_steps": f"{WARMUP_STEPS}, total_steps - 1"},
)
tune.mistake(
    "ScheduleOfOneEpoch",
    "The schedule has the steps of one epoch, so later epochs learn nothing.",
    hint="How many steps are there in all epochs together?",
    change={"epochs * math.ceil(": "math.ceil("},
)
tune.mistake(
    "StepsRoundedDown",
    "The steps of an epoch are rounded down; the last, smaller batch must count as a step.",
    hint="How many steps do 10 texts in batches of 4 take?",
    change={"math.ceil(len(labels) / batch_size)": "(len(labels) // batch_size)"},
)
tune.mistake(
    "OwnLearningRate",
    "learning_rate is ignored: the optimizer uses its default, 0.001.",
    hint="Does your optimizer get a learning rate? Its name as a string contains none.",
    change={SCHEDULE: "0.001"},
)
tune.mistake(
    "LogitsAsProbabilities",
    "The loss treats the logits as probabilities.",
    hint="Which applies the softmax, the model or the loss? How does the loss know?",
    change={"from_logits=True": ""},
)
tune.mistake(
    "SummedLoss",
    "The losses of a batch are summed instead of averaged.",
    hint="Should the loss of a batch grow with its size?",
    change={"from_logits=True": 'from_logits=True, reduction="sum"'},
)
tune.mistake(
    "EncoderFrozen",
    "Only the last layer is trained: the encoder does not change.",
    hint="Fine-tuning changes all weights. What sets `trainable` to False?",
    change={"total_steps =": "for layer in model.layers[:-1]:\n    layer.trainable = False\ntotal_steps ="},
)
tune.mistake(
    "NoDecay",
    "The matrices do not decay: the optimizer is Adam instead of AdamW.",
    hint="Which imported function makes an optimizer with decay?",
    change={OPTIMIZER: "keras.optimizers.Adam(schedule, epsilon=1e-6)"},
)
tune.mistake(
    "BiasesDecay",
    "The biases decay as well.",
    hint="AdamW decays all variables by default. Which imported function excludes the biases?",
    change={OPTIMIZER: "keras.optimizers.AdamW(schedule, weight_decay=0.01, epsilon=1e-6)"},
)
tune.mistake(
    "NeverShuffled",
    "The texts come in the same order in every run and every epoch.",
    hint="Which argument of `batches` shuffles the texts, and where do you use `seed`?",
    change={TRAINING_BATCHES: "batches(inputs, labels, batch_size)"},
)
tune.mistake(
    "LastBatchLeftOut",
    "The last batch is left out if it is smaller.",
    hint="Without shuffling, which texts would the model never see?",
    change={TRAINING_BATCHES: f"(batch for batch in {TRAINING_BATCHES} if len(batch[1]) == batch_size)"},
)
tune.mistake(
    "MeanOfMeans",
    "The loss is the mean of the batches' means, so texts of a smaller batch count more.",
    hint="A batch of two must not count as much as one of four. Which function takes care of that?",
    change={"np.average(losses, weights=sizes)": "np.mean(losses)"},
)
tune.mistake(
    "HeldOutTrainedOn",
    "The model trains on the held-out texts while it measures them.",
    hint="Which one leaves the weights unchanged: train_on_batch or test_on_batch?",
    change={HELD_OUT: "mean_loss(model.train_on_batch, batches(*held_out, batch_size))"},
)
tune.mistake(
    "DropoutWhileMeasuring",
    "Dropout is on while the held-out loss is measured.",
    hint="Measure a model as it will be used. What does test_on_batch do that your call does not?",
    change={"model.test_on_batch": "lambda *batch: float(cross_entropy(batch[1], model(batch[0], training=True)))"},
)
tune.mistake(
    "MeasuredOnTraining",
    "held_out_loss is measured on the training texts.",
    hint="A low loss on memorised texts proves nothing. Which texts has the model not seen?",
    change={HELD_OUT: "mean_loss(model.test_on_batch, batches(*training, batch_size))"},
)
tune.mistake(
    "NeverStops",
    "Training never stops early.",
    hint="After how many epochs without a new lowest loss should training stop?",
    change={TIME_TO_STOP: "False"},
)
tune.mistake(
    "Impatient",
    "Training stops at the first epoch that is not the best so far, whatever patience is.",
    hint="A loss may rise for one epoch and fall again. How many such epochs in a row does `patience` allow?",
    change={TIME_TO_STOP: "waited == 1"},
)
tune.mistake(
    "PatienceNeverRenewed",
    "`patience` counts all epochs that are not the best so far, instead of those in a row.",
    hint="After a new lowest loss, how many epochs in a row may fail again?",
    change={f"waited = {LATEST}, model.get_weights(), 0": f"waited = {LATEST}, model.get_weights(), waited - 1"},
)
tune.mistake(
    "OneEpochLate",
    "Training stops one epoch too late.",
    hint="With a patience of 1, after which epoch should training stop? Is it > or ==?",
    change={TIME_TO_STOP: "waited > patience"},
)
tune.mistake(
    "LastWeightsKept",
    "The model keeps the weights of the last epoch instead of the best.",
    hint="When training stops, the model has been getting worse for a while. Where are its best weights?",
    change={PUT_BACK: ""},
)
tune.mistake(
    "WatchesTraining",
    "The training loss, which nearly always falls, decides when to stop.",
    hint="Which texts does the model not learn from?",
    change={
        'if history["held_out_loss"][-1] < lowest': 'if history["loss"][-1] < lowest',
        'waited = history["held_out_loss"][-1]': 'waited = history["loss"][-1]',
    },
)
tune.mistake(
    "BestOnlyIfStopped",
    "The best weights are restored only if training stops early; after all epochs, the last ones stay.",
    hint="Must the last epoch be the best one if patience did not run out?",
    change={PUT_BACK: f'if len(history["held_out_loss"]) < epochs:\n    {PUT_BACK}'},
)
tune.mistake(
    "ArraysReturned",
    "The losses are returned as arrays instead of lists of floats.",
    hint="A list can be appended to and stored as JSON. Which type does the docstring promise?",
    change={"return history": "return {name: np.array(losses) for name, losses in history.items()}"},
)
tune.mistake(
    "NotClipped",
    "Large gradients are not clipped: the optimizer is another one than `bert_optimizer`.",
    hint="After one very large gradient, Adam's steps stay small for long. What does `bert_optimizer` do with it?",
    change={
        OPTIMIZER: "optimizer",
        "cross_entropy = keras": """
            optimizer = keras.optimizers.AdamW(schedule, weight_decay=0.01, epsilon=1e-6)
            optimizer.exclude_from_weight_decay(var_names=["bias", "gamma", "beta"])
            cross_entropy = keras
        """,
    },
)
