"""What goes wrong in distillation_loss."""

from __future__ import annotations

from grading.exercises.compression.checks import distillation

STOPPED = "teacher = ops.stop_gradient(teacher)"
COOLED = "ops.log_softmax(logits / temperature, axis=-1)"
BOTH_COOLED = f"said, wanted = ({COOLED} for logits in (student, teacher))"
OF_CLASSES = "ops.exp(wanted) * (wanted - said)"
OF_TEXTS = f"ops.sum({OF_CLASSES}, axis=-1)"
SOFT = f"temperature**2 * ops.mean({OF_TEXTS})"
TOGETHER = "alpha * soft + (1 - alpha) * hard"

distillation.mistake(
    "without_t_squared",
    "T² is missing, so the teacher counts less as the temperature rises.",
    hint="At a temperature T, gradients are T² times smaller. What compensates for that?",
    change={"temperature**2 * ": ""},
)
distillation.mistake(
    "t_once",
    "The soft part is multiplied by T instead of T².",
    hint="T divides the logits, and then their gradient once more. How often is that?",
    change={"temperature**2": "temperature"},
)
distillation.mistake(
    "t_squared_on_both",
    "T² multiplies the hard part, too.",
    hint="The labels are learned at T = 1. Is there anything to compensate for?",
    change={"hard = ": "hard = temperature**2 * "},
)
distillation.mistake(
    "teacher_cooled_alone",
    "Only the teacher's logits are divided by T.",
    hint="If student and teacher have the same logits, the soft loss should be 0. Is it?",
    change={
        BOTH_COOLED: "said, wanted = ops.log_softmax(student, axis=-1), ops.log_softmax(teacher / temperature, axis=-1)"
    },
)
distillation.mistake(
    "student_cooled_alone",
    "Only the student's logits are divided by T.",
    hint="The temperature is there to show the teacher's small probabilities.",
    change={
        BOTH_COOLED: "said, wanted = ops.log_softmax(student / temperature, axis=-1), ops.log_softmax(teacher, axis=-1)"
    },
)
distillation.mistake(
    "multiplied",
    "The logits are multiplied by T instead of divided, so distributions become sharper.",
    hint="A high temperature brings all classes closer together.",
    change={"logits / temperature": "logits * temperature"},
)
distillation.mistake(
    "turned_round",
    "KL is reversed: KL(student ‖ teacher).",
    hint="KL(p ‖ q) weights the classes by p. Whose probabilities should decide what matters?",
    change={OF_CLASSES: "ops.exp(said) * (said - wanted)"},
)
distillation.mistake(
    "cross_entropy",
    "The soft part is the cross-entropy with the teacher's probabilities, so it is not 0 for equal logits.",
    hint="Both have the same gradient. What does the teacher's own entropy add?",
    change={OF_CLASSES: "-ops.exp(wanted) * said"},
)
distillation.mistake(
    "mean_over_classes",
    "KL is averaged over the classes, too, so it is too small by the number of classes.",
    hint='PyTorch calls that "mean", and the right one "batchmean". Which axis is summed?',
    change={OF_TEXTS: OF_CLASSES},
)
distillation.mistake(
    "summed_over_texts",
    "KL is summed over the texts.",
    hint="Twice as many texts in a batch should not double the loss.",
    change={f"ops.mean({OF_TEXTS})": f"ops.sum({OF_TEXTS})"},
)
distillation.mistake(
    "teacher_with_itself",
    "The teacher is compared with itself, so the soft part is always 0.",
    hint="The student cannot change this part. Whose logits are on each side?",
    change={"for logits in (student, teacher)": "for logits in (teacher, teacher)"},
)
distillation.mistake(
    "shares_turned",
    "alpha and 1 - alpha are swapped.",
    hint="At alpha = 0, which part counts: the teacher or the labels?",
    change={TOGETHER: "(1 - alpha) * soft + alpha * hard"},
)
distillation.mistake(
    "hard_in_full",
    "The hard part has weight 1, whatever alpha is.",
    hint="The two weights sum to 1.",
    change={TOGETHER: "alpha * soft + hard"},
)
distillation.mistake(
    "hard_part_cooled",
    "The hard part also uses the temperature T.",
    hint="The student will be used at T = 1, and labels contain no doubt to show.",
    change={"(labels, student,": "(labels, student / temperature,"},
)
distillation.mistake(
    "labels_of_the_teacher",
    "The labels are not used: the hard part uses the teacher's likeliest class.",
    hint="The teacher is sometimes wrong. What does the hard part compare with?",
    change={"(labels, student,": "(ops.argmax(teacher, axis=-1), student,"},
)
distillation.mistake(
    "teacher_learns",
    "A gradient flows to the teacher, so the teacher would learn from its student.",
    hint="Which operation passes a value on, but no gradient?",
    change={STOPPED: ""},
)
distillation.mistake(
    "softmax_twice",
    "The softmax is applied twice: `log_softmax` receives probabilities.",
    hint="`log_softmax` takes logits. What does `softmax` return?",
    change={COOLED: "ops.log_softmax(ops.softmax(logits / temperature, axis=-1), axis=-1)"},
)
distillation.mistake(
    "over_the_batch",
    "The softmax runs over the texts of the batch instead of the classes.",
    hint="The probabilities of one text sum to 1. Which axis holds its classes?",
    change={COOLED: "ops.log_softmax(logits / temperature, axis=0)"},
)
distillation.mistake(
    "squared_differences",
    "The soft part is the squared difference of the logits instead of KL.",
    hint="That is the limit of a very high temperature. Here T is given.",
    change={SOFT: "ops.mean(ops.sum(ops.square(student - teacher), axis=-1))"},
)
distillation.mistake(
    "log_of_zero",
    "The logarithm is taken of probabilities, which are 0 for large logits, so the loss is infinite or NaN.",
    hint="`log_softmax` computes the logarithm without the probability.",
    change={COOLED: "ops.log(ops.softmax(logits / temperature, axis=-1))"},
)
distillation.mistake(
    "in_half_precision",
    "The loss is computed in half precision if the logits are.",
    hint="A loss is a sum of small numbers. Which dtype is precise enough?",
    change={'ops.cast(logits, "float32")': "logits"},
)
distillation.mistake(
    "cooled_in_half_precision",
    "Logits are divided by the temperature in their own dtype: in float16, 40,000 / 0.5 is infinite.",
    hint="Float16 has no number above 65,504. What comes first, the division or the cast?",
    change={
        'ops.cast(logits, "float32") for logits in (student_logits, teacher_logits)': (
            "ops.convert_to_tensor(logits) for logits in (student_logits, teacher_logits)"
        ),
        COOLED: 'ops.log_softmax(ops.cast(logits / temperature, "float32"), axis=-1)',
        "labels, student, from_logits": 'labels, ops.cast(student, "float32"), from_logits',
    },
)
distillation.mistake(
    "in_double",
    "Logits in float64 give a loss in float64.",
    hint="Which dtype does the docstring promise, whatever the logits are?",
    change={'ops.cast(logits, "float32")': 'ops.cast(logits, keras.backend.result_type(logits.dtype, "float32"))'},
)
