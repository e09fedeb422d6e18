"""The mistakes that students make with the encoder: each a few lines of wrong code, a sentence and a hint."""
