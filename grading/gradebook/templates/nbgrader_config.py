"""nbgrader's settings for this course. `python -m grading gradebook` wrote them once and leaves your changes alone."""

import ast

from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor

STUB = "raise NotImplementedError()"


class NameStubs(NbGraderPreprocessor):
    """Names in each stub what the student writes there, as the course's own notebooks do."""

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type == "code" and STUB in cell.source:
            lines = cell.source.split("\n")
            for name, node in stubs(ast.parse(cell.source)):
                stub = f'raise NotImplementedError("Write {name}, then run the check below.")'
                lines[node.lineno - 1] = " " * node.col_offset + stub
            cell.source = "\n".join(lines)
        return cell, resources


def stubs(tree, outer=""):
    """Yield each stub with the name of its function or method."""
    for node in getattr(tree, "body", []):
        if isinstance(node, ast.ClassDef):
            yield from stubs(node, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef) and ast.unparse(node.body[-1]) == STUB:
            yield outer + node.name, node.body[-1]


c = get_config()
c.ClearSolutions.code_stub = {"python": STUB}
steps = list(GenerateAssignment.class_traits()["preprocessors"].default())
steps.insert(steps.index(ClearSolutions) + 1, NameStubs)
c.GenerateAssignment.preprocessors = steps
