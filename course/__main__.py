"""python -m course"""

import os

# Before TensorFlow is imported. It says much that helps nobody; and on a CPU it asks the system for memory at every
# operation and gives it back, which takes a third of a training's time. With this, it keeps the memory.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_CPU_ALLOCATOR_USE_BFC", "true")

from course.cli import main

main()
