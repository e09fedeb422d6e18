"""The course as a site: `python -m website` builds it from the notebooks, the docstrings, the README and docs/.

The pages are first put together in one folder (`chapters`, `reference`, `texts`); Sphinx makes HTML of them (`conf`).
"""
