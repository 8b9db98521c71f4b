"""Equalities: the affine space of the labels (eq. 5), as short integer rows."""
