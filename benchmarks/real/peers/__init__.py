"""Other tools on the same rows, each a script that runs in the scratch environment and imports nothing of ours."""
