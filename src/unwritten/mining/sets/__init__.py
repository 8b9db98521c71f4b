"""Sets: rules about labels that are sets of columns: covers, ranks and matroids."""
