"""Tests a spec before it marks anybody: does it accept the reference, and does it catch faults?"""
