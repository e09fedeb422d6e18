"""TensorFlow's gradient tape without compile: every step is written out, and losses are summed by hand."""

import math
from collections import defaultdict

import keras
import numpy as np
import tensorflow as tf
from course.classification import batches
from course.pretraining import WarmupLinearDecay, bert_optimizer


def losses_of(labels, logits):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.cast(logits, tf.float32))


def fine_tune(model, training, held_out, *, learning_rate=2e-5, batch_size=8, epochs=3, warmup=0.1, patience=1, seed=0):
    inputs, labels = training
    model({name: array[:1] for name, array in inputs.items()})
    steps = epochs * math.ceil(len(labels) / batch_size)
    optimizer = bert_optimizer(model, WarmupLinearDecay(learning_rate, math.floor(warmup * steps), steps))
    weights = model.trainable_variables
    random = np.random.default_rng(seed)
    history = defaultdict(list)
    best, snapshot, bad_epochs = float("inf"), None, 0
    for epoch in range(epochs):
        total = 0.0
        for batch, batch_labels in batches(inputs, labels, batch_size, random):
            with tf.GradientTape() as tape:
                losses = losses_of(batch_labels, model(batch, training=True))
                loss = tf.reduce_mean(losses)
            optimizer.apply(tape.gradient(loss, weights), weights)
            total += float(tf.reduce_sum(losses))
        history["loss"].append(total / len(labels))
        total = sum(
            float(tf.reduce_sum(losses_of(batch_labels, model(batch, training=False))))
            for batch, batch_labels in batches(*held_out, batch_size)
        )
        history["held_out_loss"].append(total / len(held_out[1]))
        if history["held_out_loss"][-1] < best:
            best, snapshot, bad_epochs = history["held_out_loss"][-1], [w.numpy().copy() for w in model.weights], 0
        else:
            bad_epochs += 1
            if bad_epochs == patience:
                break
    for weight, value in zip(model.weights, snapshot):
        weight.assign(value)
    return history
