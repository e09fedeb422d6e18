"""One package for each chapter, with its checks and known mistakes."""
