"""How Sphinx makes the site from these pages: `make docs`. Nothing is fetched, and a warning is an error."""

import json
import re
from pathlib import Path

import sudoku_cp

ROOT = Path(__file__).parents[1]
ROOT_PAGES = {"changelog": "CHANGELOG.md", "contributing": "CONTRIBUTING.md", "security": "SECURITY.md"}
"""Pages whose text stands at the root of the repository, where people look for it."""

project = "sudoku_cp"
author = "The sudoku_cp maintainers"
copyright = author  # noqa: A001  # Sphinx's name for the line at the foot
version = release = sudoku_cp.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
myst_disable_syntax = ["footnote_ref"]  # [^28] is a set of values in a pattern
default_role = "literal"  # single backticks in docstrings are code

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
add_module_names = False

html_theme = "furo"
html_title = f"sudoku_cp {release}"
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # summaries are fetched, which a browser refuses for files
html_theme_options = {"navigation_with_keys": True}


def setup(app):
    """Have Markdown changed before it is parsed: links lead to pages of the site, whatever they lead to in the repository."""
    app.connect("source-read", read_page)
    app.connect("autodoc-process-signature", shorten_signature)
    return {"parallel_read_safe": True}


def read_page(app, page, source):
    """Put the text of a page at its place in the site."""
    if page in ROOT_PAGES:
        path = ROOT / ROOT_PAGES[page]
        app.env.note_dependency(str(path))
        source[0] = path.read_text(encoding="utf-8").replace("](docs/", "](")
    if page.startswith("notebooks/"):
        path = ROOT / f"{page}.ipynb"
        app.env.note_dependency(str(path))
        source[0] = notebook_page(json.loads(path.read_text(encoding="utf-8")))
    for name, file in ROOT_PAGES.items():
        source[0] = re.sub(rf"\]\((\.\./)?{re.escape(file)}", f"]({name}.md", source[0])
    source[0] = re.sub(r"\[([^\]]*)\]\(\.\./[^)]*\)", r"\1", source[0])  # files of the repository that are no pages
    source[0] = source[0].replace("```jsonl\n", "```json\n")


def shorten_signature(app, what, name, thing, options, signature, returned):
    """Write types by their last names, and cells as what they are called."""
    return tuple(text and shorten_types(text) for text in (signature, returned))


def shorten_types(text):
    """Return a signature without modules and without what the names of defaults do not tell."""
    text = re.sub(r"~?\b(?:[a-z_]+\.)+([A-Z]\w*)", r"\1", text).replace(" = <factory>", " = ...")
    return text.replace("Annotated[int, 'cell']", "Cell")


def notebook_page(notebook):
    """Return a notebook with what it printed as Markdown."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
        else:
            parts += [f"```python\n{text}\n```", *map(output_part, cell["outputs"])]
    return "\n\n".join(parts)


def output_part(output):
    """Return what a cell printed or showed: a picture where there is one, otherwise text."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    if "image/svg+xml" in data:
        return f"```{{raw}} html\n{''.join(data['image/svg+xml'])}\n```"
    if "image/png" in data:
        return f'```{{raw}} html\n<img alt="a plot" src="data:image/png;base64,{"".join(data["image/png"]).strip()}">\n```'
    return f"```text\n{''.join(data['text/plain'])}\n```"
