"""The learner's own model: a pretraining that goes on beside the reading, its folder `my_model/`, and its card."""

from course.my_model.card import Card, card, note
from course.my_model.loading import Loaded, load
from course.my_model.running import look, start, stop

__all__ = ["Card", "Loaded", "card", "load", "look", "note", "start", "stop"]
