"""The mistakes that students make with masked words: each a few lines of wrong code, a sentence and a hint."""
