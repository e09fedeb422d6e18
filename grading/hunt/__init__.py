"""Hunts for answers by meaning: does anything in a bundle do the work of an exercise that is still to be written?"""
