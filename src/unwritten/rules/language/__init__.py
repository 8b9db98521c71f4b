"""Language: rules as sentences, and sentences read back as rules."""
