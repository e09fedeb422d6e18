"""The mistakes that students make with attention: each a few lines of wrong code, a sentence and a hint."""
