"""`my_bert`: the student's own BERT. What passes its check is kept there; the course stands in for what has not.

Lessons import from `my_bert` what earlier chapters taught, so that what a student built is what a student uses.
"""

from grading.notebook.my_bert.keeping import keep, kept_in
from grading.notebook.my_bert.putting_in_place import put_in_place, put_kept_in_place
from grading.notebook.my_bert.standing_in import let_the_course_stand_in

__all__ = ["keep", "kept_in", "let_the_course_stand_in", "put_in_place", "put_kept_in_place"]
