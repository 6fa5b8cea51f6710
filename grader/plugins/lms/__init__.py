"""Moodle, Canvas, Brightspace, Blackboard and Gradescope: their downloads, and their sheets."""
