def distillation_loss(student_logits, teacher_logits, labels, temperature=2.0, alpha=0.5):
    own = ops.cast(student_logits, "float32")
    wise = ops.stop_gradient(ops.cast(teacher_logits, "float32")) / temperature
    p = ops.softmax(wise, axis=-1)
    normed = wise - ops.logsumexp(wise, axis=-1, keepdims=True)
    gap = normed - ops.log_softmax(own / temperature, axis=-1)
    soft = ops.mean(ops.sum(p * gap, axis=-1))
    picked = ops.sum(ops.one_hot(labels, own.shape[-1]) * ops.log_softmax(own, axis=-1), axis=-1)
    return alpha * temperature * temperature * soft - (1 - alpha) * ops.mean(picked)
