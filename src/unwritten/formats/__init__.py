"""Files of ours: `.rules` archives, and atomic writes for everything else that is written."""

from unwritten.formats.archive import read_archive, write_archive
from unwritten.formats.atomic import write_text

__all__ = ["read_archive", "write_archive", "write_text"]
