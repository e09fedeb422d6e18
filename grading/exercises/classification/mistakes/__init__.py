"""The mistakes that students make with fine-tuning: each a few lines of wrong code, a sentence and a hint."""
