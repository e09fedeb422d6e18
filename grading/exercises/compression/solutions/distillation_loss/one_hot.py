"""The teacher's probabilities as targets, minus its entropy, and a one-hot product for the labels."""

from keras import ops


def distillation_loss(student_logits, teacher_logits, labels, temperature=2.0, alpha=0.5):
    student = ops.cast(student_logits, "float32")
    teacher = ops.stop_gradient(ops.cast(teacher_logits, "float32"))
    p = ops.softmax(teacher / temperature)
    log_p = teacher / temperature - ops.logsumexp(teacher / temperature, axis=-1, keepdims=True)
    log_q = student / temperature - ops.logsumexp(student / temperature, axis=-1, keepdims=True)
    texts = ops.cast(ops.shape(student)[0], "float32")
    soft = ops.sum(p * log_p - p * log_q) / texts
    wanted = ops.one_hot(labels, student.shape[-1])
    hard = -ops.sum(wanted * ops.log_softmax(student, axis=-1)) / texts
    return alpha * soft * temperature**2 + (1.0 - alpha) * hard
