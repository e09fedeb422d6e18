"""The mistakes that students make with pretraining: each a few lines of wrong code, a sentence and a hint."""
