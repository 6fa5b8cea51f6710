"""Settings of Sphinx for the pages in this folder; `make docs` builds them."""

project = "grader"
author = "The grader authors"
copyright = "the grader authors; MIT licence"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["images"]
suppress_warnings = ["myst.strikethrough"]

# Links to headings are written as GitHub writes them.
myst_heading_anchors = 4
myst_links_external_new_tab = False

html_theme = "furo"
html_title = "grader"
html_show_sphinx = False
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["site"]
html_css_files = ["site.css"]
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "friendly"
pygments_dark_style = "monokai"

# The pages load nothing from elsewhere.
html_use_opensearch = ""
