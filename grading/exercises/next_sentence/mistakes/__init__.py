"""The mistakes that students make with next sentences: each a few lines of wrong code, a sentence and a hint."""
