"""Hunts for answers in disguise: does anything in a bundle solve an exercise that students have still to write?"""
