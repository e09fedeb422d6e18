"""The mistakes that students make with names: each a few lines of wrong code, a sentence and a hint."""
