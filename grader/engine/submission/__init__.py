"""Marks one submission: its boxes, its cases in order, its pictures, rules and times."""
