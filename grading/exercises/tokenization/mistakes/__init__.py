"""The mistakes that students make with text: each a few lines of wrong code, a sentence and a hint."""
