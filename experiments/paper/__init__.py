"""The tables and figures of the paper, one per module; `run(context)` in a module runs it."""
