"""Files that are written atomically, and what commands write into them."""
