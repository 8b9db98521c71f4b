"""Files of ours: the only part that reads and writes `.tacit` archives."""

from tacit.formats.archive import read_archive, write_archive

__all__ = ["read_archive", "write_archive"]
