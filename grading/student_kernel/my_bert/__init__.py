"""`my_bert`: the student's own BERT. What passes its check is kept there; the course stands in for what has not.

Lessons import from `my_bert` what earlier chapters taught, so that what a student built is what a student uses.
"""

from grading.student_kernel.my_bert.fallback import fall_back_to_course
from grading.student_kernel.my_bert.keeping import keep, kept_in
from grading.student_kernel.my_bert.named_weights import require_named_weights
from grading.student_kernel.my_bert.substitution import put_in_place, put_kept_in_place

__all__ = ["fall_back_to_course", "keep", "kept_in", "put_in_place", "put_kept_in_place", "require_named_weights"]
