"""Public tables that nobody here wrote, damaged rows in them, and what each tool notices."""
