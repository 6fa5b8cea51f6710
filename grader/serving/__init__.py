"""Serves pages to browsers on this machine, and to nobody else; docs/design/live-pages.md says how."""
