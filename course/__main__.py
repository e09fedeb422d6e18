"""python -m course"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # before TensorFlow is imported: it says much that helps nobody

from course.cli import main

main()
