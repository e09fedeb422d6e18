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
    "T² is missing: the higher the temperature, the less the teacher counts.",
    hint="At a temperature T, gradients are T² times as small. What makes up for it?",
    change={"temperature**2 * ": ""},
)
distillation.mistake(
    "t_once",
    "The soft part is multiplied by T, not by T².",
    hint="T divides the logits, and once more the gradient by them. How often is that?",
    change={"temperature**2": "temperature"},
)
distillation.mistake(
    "t_squared_on_both",
    "T² multiplies the hard part, too.",
    hint="The labels are learned at T = 1. Is there anything to make up for?",
    change={"hard = ": "hard = temperature**2 * "},
)
distillation.mistake(
    "teacher_cooled_alone",
    "Only the teacher's logits are divided by T.",
    hint="A student with its teacher's logits should have nothing to learn. Has it?",
    change={
        BOTH_COOLED: "said, wanted = ops.log_softmax(student, axis=-1), ops.log_softmax(teacher / temperature, axis=-1)"
    },
)
distillation.mistake(
    "student_cooled_alone",
    "Only the student's logits are divided by T.",
    hint="The teacher's small probabilities are what the temperature is for.",
    change={
        BOTH_COOLED: "said, wanted = ops.log_softmax(student / temperature, axis=-1), ops.log_softmax(teacher, axis=-1)"
    },
)
distillation.mistake(
    "multiplied",
    "The logits are multiplied by T instead of divided: doubts become smaller.",
    hint="At a high temperature all classes come closer together.",
    change={"logits / temperature": "logits * temperature"},
)
distillation.mistake(
    "turned_round",
    "It is KL(student ‖ teacher): the other way round.",
    hint="KL(p ‖ q) weighs with p. Whose probabilities say what is important?",
    change={OF_CLASSES: "ops.exp(said) * (said - wanted)"},
)
distillation.mistake(
    "cross_entropy",
    "It is the cross-entropy with the teacher's probabilities, not KL: for equal logits it is not 0.",
    hint="Their gradients are the same. What does the teacher's own entropy add?",
    change={OF_CLASSES: "-ops.exp(wanted) * said"},
)
distillation.mistake(
    "mean_over_classes",
    "KL is averaged over the classes, too, so that it is as many times too small.",
    hint='PyTorch calls that "mean"; what is wanted is called "batchmean" there. Which axis is summed?',
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
    "The teacher is compared with itself: the soft part is always 0.",
    hint="Nothing that the student does moves this part. Whose logits are in it, on both sides?",
    change={"for logits in (student, teacher)": "for logits in (teacher, teacher)"},
)
distillation.mistake(
    "shares_turned",
    "alpha and 1 - alpha have changed places.",
    hint="At alpha = 0, who counts: the teacher or the labels?",
    change={TOGETHER: "(1 - alpha) * soft + alpha * hard"},
)
distillation.mistake(
    "hard_in_full",
    "The hard part counts in full, whatever alpha is.",
    hint="The two shares are 1 together.",
    change={TOGETHER: "alpha * soft + hard"},
)
distillation.mistake(
    "hard_part_cooled",
    "The hard part is computed at the temperature T as well.",
    hint="The student will be asked at T = 1, and the labels have no doubts to show.",
    change={"(labels, student,": "(labels, student / temperature,"},
)
distillation.mistake(
    "labels_of_the_teacher",
    "The labels are not looked at: the hard part asks for the teacher's likeliest class.",
    hint="The teacher is wrong at times. Who knows better?",
    change={"(labels, student,": "(ops.argmax(teacher, axis=-1), student,"},
)
distillation.mistake(
    "teacher_learns",
    "A gradient flows to the teacher, too, so that it would learn from its student.",
    hint="Which operation lets a value through, and no gradient?",
    change={STOPPED: ""},
)
distillation.mistake(
    "softmax_twice",
    "A softmax is taken twice: probabilities go where logits belong.",
    hint="`log_softmax` wants logits. What comes out of `softmax`?",
    change={COOLED: "ops.log_softmax(ops.softmax(logits / temperature, axis=-1), axis=-1)"},
)
distillation.mistake(
    "over_the_batch",
    "The softmax goes over the texts of the batch, not over the classes.",
    hint="The probabilities of one text are 1 together. Which axis holds its classes?",
    change={COOLED: "ops.log_softmax(logits / temperature, axis=0)"},
)
distillation.mistake(
    "squared_differences",
    "Logits are compared by their squared differences, not probabilities by KL.",
    hint="That is what a very high temperature comes to. Here T is given.",
    change={SOFT: "ops.mean(ops.sum(ops.square(student - teacher), axis=-1))"},
)
distillation.mistake(
    "log_of_zero",
    "The logarithm is taken of probabilities, which are 0 for large logits: the loss is infinite or NaN.",
    hint="`log_softmax` knows the logarithm without the probability.",
    change={COOLED: "ops.log(ops.softmax(logits / temperature, axis=-1))"},
)
distillation.mistake(
    "in_half_precision",
    "It is computed in half precision, where logits come in it.",
    hint="A loss is a sum of small numbers. In which dtype can it be one?",
    change={'ops.cast(logits, "float32")': "logits"},
)
