"""Tables: our experiments on real tables, each by one call: `run(context)` in the module of its name."""

#: name: what it shows
EXPERIMENTS = {"renault_check": "Held-out car sales: false alarms, damage that is found, and repairs that are right"}
