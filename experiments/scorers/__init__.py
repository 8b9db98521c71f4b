"""Scorers with mined rules: nets whose answers are decided jointly, each by one call: `run(context)`."""

#: name: what it shows
EXPERIMENTS = {
    "hmc_best": "96 classes of X-ray images: SVMs and nets with mined rules, no hierarchy given",
    "visual_sudoku": "Sudoku from images of digits: a small net, mined rules, and joint decoding",
}
