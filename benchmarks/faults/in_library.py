"""Faults in the library: in the modules that students rebuild, and in the code that supports them."""

from __future__ import annotations

from benchmarks.faults.fault import LAYERS, STORAGE, TEXT, TRAINING, Fault

FAULTS = (
    # The layers and functions of the chapters --------------------------------------------------------------
    Fault(
        "scores are divided by d, not by its root",
        LAYERS,
        {"query = ops.divide(query, math.sqrt(head_dim))": "query = ops.divide(query, float(head_dim))"},
        ("test_attention.py",),
    ),
    Fault(
        "a query's padded keys get a little weight",
        LAYERS,
        {
            "        scores = ops.where(mask, scores, -1e9)\n    weights = ops.softmax": (
                "        scores = ops.where(mask, scores, scores - 4)\n    weights = ops.softmax"
            )
        },
        ("test_attention.py", "test_multi_head_attention.py"),
    ),
    Fault(
        "heads are merged feature by feature",
        LAYERS,
        {"(0, 2, 1, 3))  # (batch, length, heads, head_dim)": "(0, 2, 3, 1))  # (batch, length, head_dim, heads)"},
        ("test_attention.py", "test_multi_head_attention.py"),
    ),
    Fault(
        "attention drops nothing in training",
        LAYERS,
        {"if self.dropout and training:  # sums again": "if self.dropout and training is None:  # sums again"},
        ("test_multi_head_attention.py",),
    ),
    Fault(
        "all tokens have the first position",
        LAYERS,
        {"+ self.position_embedding(positions)": "+ self.position_embedding(0 * positions)"},
        ("test_embeddings.py",),
    ),
    Fault(
        "epsilon is added to the deviation, not to the variance",
        LAYERS,
        {"(features - mean) * ops.rsqrt(variance + epsilon)": "(features - mean) / (ops.sqrt(variance) + epsilon)"},
        ("test_encoder.py",),
    ),
    Fault(
        "a block that norms last ignores its mask",
        LAYERS,
        {"attended = self.attention(x, attention_mask=attention_mask)": "attended = self.attention(x)"},
        ("test_encoder.py",),
    ),
    Fault(
        "random words are too rare among the masked ones",
        LAYERS,
        {"ops.where(happen < 0.9, drawn, words))": "ops.where(happen < 0.85, drawn, words))"},
        ("test_masking.py",),
    ),
    Fault(
        "the masked words' loss is a mean over padding, too",
        LAYERS,
        {"return ops.divide_no_nan(ops.sum(weights * losses), ops.sum(weights))": "return ops.mean(weights * losses)"},
        ("test_masked_lm.py",),
    ),
    Fault(
        "the other document may be the same one",
        LAYERS,
        {"other += other >= number": "other += 0 * number"},
        ("test_next_sentence.py",),
    ),
    # Training ----------------------------------------------------------------------------------------------
    Fault(
        "the warm-up is a step early",
        TRAINING,
        {"rise = step / max(self.warmup_steps, 1)": "rise = (step + 1) / max(self.warmup_steps, 1)"},
        ("test_pretraining.py",),
    ),
    Fault(
        "biases decay",
        TRAINING,
        {'not in ("bias", "gamma", "beta")': 'not in ("gamma", "beta")'},
        ("test_pretraining.py",),
    ),
    Fault(
        "every epoch has the same masks",
        TRAINING,
        {"seed = self.seed_generator if training else self.seed": "seed = self.seed"},
        ("test_pretraining.py",),
    ),
    Fault(
        "accuracy of words is counted over padding, too",
        TRAINING,
        {"update_state(right_words, sample_weight=weights)": "update_state(right_words)"},
        ("test_pretraining.py",),
    ),
    Fault(
        "fine-tuning keeps the last weights, not the best",
        TRAINING,
        {'history["held_out_loss"][-1], model.get_weights(), 0': 'history["held_out_loss"][-1], best_weights, 0'},
        ("test_classification.py",),
    ),
    Fault(
        "a small last batch counts as much as a full one",
        TRAINING,
        {"return float(np.average(losses, weights=sizes))": "return float(np.average(losses))"},
        ("test_classification.py",),
    ),
    Fault(
        "a mean over tokens takes in padding",
        TRAINING,
        {"mean = ops.sum(states * is_token, axis=1) / ops.sum(is_token, axis=1)": "mean = ops.mean(states, axis=1)"},
        ("test_mean_pooling.py",),
    ),
    Fault(
        "the first block learns as fast as the second",
        TRAINING,
        {"return decay ** (num_layers - int(block[1]))": "return decay ** (num_layers - max(1, int(block[1])))"},
        ("test_finetuning.py",),
    ),
    Fault(
        "norms and biases decay where layers learn at rates of their own",
        TRAINING,
        {"(weight_decay if decays_weight(path) else 0.0 for path in paths)": "(weight_decay for path in paths)"},
        ("test_finetuning.py",),
    ),
    # Text and corpus ---------------------------------------------------------------------------------------
    Fault(
        "of equally long texts the first is cut",
        TEXT,
        {"if len(kept_first) > len(kept_second)": "if len(kept_first) >= len(kept_second)"},
        ("test_tokenization.py", "test_wordpiece.py"),
    ),
    Fault(
        "a word of just the greatest length is unknown",
        TEXT,
        {"if len(word) > max_chars:": "if len(word) >= max_chars:"},
        ("test_tokenization.py", "test_wordpiece.py"),
    ),
    Fault(
        "the fast tokenizer gives the second text a piece too many",
        TEXT,
        {"np.maximum(room // 2, room - first_lengths)": "np.maximum((room + 1) // 2, room - first_lengths)"},
        ("test_wordpiece.py",),
    ),
    Fault(
        "typed special tokens go the fast way",
        TEXT,
        {'and ((text.isprintable() and "[" not in text) or not': "and (text.isprintable() or not"},
        ("test_wordpiece.py",),
    ),
    Fault(
        "a training that goes on sees a batch twice",
        TEXT,
        {"for length, rows in batches[skipped:]:": "for length, rows in batches[max(0, skipped - 1) :]:"},
        ("test_epochs.py",),
    ),
    Fault(
        "two sentences that read the same count as different",
        TEXT,
        {"labels[both] = np.where(np.tile(same, 2), IS_NEXT, NOT_NEXT)": "labels[both] = NOT_NEXT"},
        ("test_epochs.py",),
    ),
    Fault(
        "special tokens are dropped as words are",
        TEXT,
        {"np.where(hidden & is_word, ": "np.where(hidden, "},
        ("test_finetuning.py",),
    ),
    # Files and weights -------------------------------------------------------------------------------------
    Fault(
        "a checkpoint lacks the optimizer",
        STORAGE,
        {"variables = [*model.variables, *model.optimizer.variables]": "variables = [*model.variables]"},
        ("test_pretraining_run.py",),
        "bit_for_bit",
    ),
    Fault(
        "the pooler's kernel is not turned",
        STORAGE,
        {'array.T if path.endswith("kernel")': 'array.T if path.endswith("dense.kernel")'},
        ("test_weights.py", "test_first_difference.py"),
    ),
    Fault(
        "a file is written in place, where a kill can halve it",
        STORAGE,
        {"draft.replace(path)": "path.write_bytes(draft.read_bytes())"},
        ("test_crashes.py", "test_temporary.py", "test_bad_input_of_runs.py|test_bad_input_of_training.py"),
    ),
    Fault(
        "a secret file is readable by all",
        STORAGE,
        {"draft.touch(mode, exist_ok=False)": "draft.touch(exist_ok=False)"},
        ("test_crashes.py",),
        "secret",
    ),
    Fault(
        "predictions come in the order of lengths",
        STORAGE,
        {"back = np.argsort(np.concatenate(rows))": "back = np.arange(len(np.concatenate(rows)))"},
        ("test_finetuning.py",),
    ),
)
