"""Experiments on real tables; `run(context)` in a module runs one."""
