"""An encoder in the browser: it computes there, in JavaScript, what `course.encoder` computes."""

from course.explorer.exploration import Exploration, explore

__all__ = ["Exploration", "explore"]
