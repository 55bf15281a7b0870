"""The documentation as a site: ``sphinx-build -W -n docs OUT``, after ``pip install -e '.[docs]'``.

What Sphinx alone does not do lies in ``docs/site/``, a file for each thing.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from zerosum import __version__  # noqa: E402

project = "zerosum"
author = "the authors of zerosum"
release = version = __version__
html_title = f"zerosum {__version__}"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "site_parts.links",
    "site_parts.names",
    "site_parts.commands",
    "site_parts.rules",
    "site_parts.live",
]
exclude_patterns = ["site_parts", "search.md"]  # see site_parts/links.py

smartquotes = False  # --depth is two hyphens

# GitHub shows the same pages: headings have the anchors that it gives them.
myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "repository": None}

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "undoc-members": True}
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"
maximum_signature_line_length = 90
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_custom_sections = [("Options", "params_style")]

html_theme = "furo"
html_favicon = "../src/zerosum/studio/assets/icon.svg"
html_static_path = ["site_parts/static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
