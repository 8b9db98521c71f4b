"""`python -m unwritten`."""

from unwritten.cli import main

main()
