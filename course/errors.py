"""The error that a user of the commands is shown as one clear line."""


class CourseError(Exception):
    """Something that the person at the keyboard can mend; its text says what was given, wanted, and what to do."""
