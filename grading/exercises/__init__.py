"""One package a chapter: its checks, and the mistakes that it knows."""
