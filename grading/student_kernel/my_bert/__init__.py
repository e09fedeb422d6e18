"""`my_bert`: the student's own BERT. It keeps code that passed its check; the course's code replaces the rest.

Lessons import the code of earlier chapters from `my_bert`, so that students use what they built.
"""

from grading.student_kernel.my_bert.fallback import fall_back_to_course
from grading.student_kernel.my_bert.keeping import cut_from, keep, kept_in
from grading.student_kernel.my_bert.named_weights import require_named_weights
from grading.student_kernel.my_bert.substitution import put_in_place, put_kept_in_place

__all__ = [
    "cut_from",
    "fall_back_to_course",
    "keep",
    "kept_in",
    "put_in_place",
    "put_kept_in_place",
    "require_named_weights",
]
