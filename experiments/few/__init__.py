"""Mining from few examples, and how sure the rules are; `run(context)` in a module runs an experiment."""
