"""What the grader says to people: English sentences that another language can build in its own way."""

from grading.messages.message import Message, all_of, any_of, enumerated, in_turn

__all__ = ["Message", "all_of", "any_of", "enumerated", "in_turn"]
