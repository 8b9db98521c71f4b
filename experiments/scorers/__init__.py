"""Classifiers whose answers are decided jointly under mined rules; `run(context)` in a module runs an experiment."""
