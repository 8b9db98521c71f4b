"""Files that Unwritten writes: `.rules` archives of models, and text files, both written atomically."""

from unwritten.formats.archive import is_archive, read_archive, write_archive
from unwritten.formats.atomic import write_text, write_texts

__all__ = ["is_archive", "read_archive", "write_archive", "write_text", "write_texts"]
