"""Few examples, and how sure: our own experiments, each by one call: `run(context)` in the module of its name."""

#: name: what it shows
EXPERIMENTS = {
    "few_sudoku": "Sudoku from 10 to 80 grids",
    "few_trees": "Spanning trees from a few hundred examples",
    "structures": "What is mined from problems that are matroids, and from problems that are not",
    "renault": "Rules mined from car sales against the manufacturer's own",
    "forecasts": "Forecast and actual accuracy",
    "noise": "Wrong rows among the examples",
    "chance": "Random labels: how often a rule is claimed",
}
