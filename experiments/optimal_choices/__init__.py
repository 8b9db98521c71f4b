"""Examples that are the best choices for their weights: rules, seen labels, and which of them answers better."""
