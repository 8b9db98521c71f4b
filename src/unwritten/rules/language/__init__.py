"""Language: rules as sentences over the columns of a table, and sentences read back as rules."""
