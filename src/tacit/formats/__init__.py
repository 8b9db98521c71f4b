"""Files of ours: `.tacit` archives, and atomic writes for everything else that is written."""

from tacit.formats.archive import read_archive, write_archive
from tacit.formats.atomic import write_text

__all__ = ["read_archive", "write_archive", "write_text"]
