"""Check the built site: `python docs/site/check_site.py build/site`. No page may load anything from another host."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Attributes that make a browser load something when the page is opened. A link that a reader may follow is not one.
LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href"), ("object", "data")}
NOT_LOADED = {"canonical", "next", "prev", "alternate"}  # kinds of <link> that only tell where something is
LIST_MARK = re.compile(r"\n(- |\d+\. |\| )")  # in a paragraph: a list or table without an empty line before it


class Page(HTMLParser):
    """What one page loads, what it links to, its anchors, and lists that were taken for text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = {""}
        self.lost_lists: list[str] = []
        self._paragraph: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses of one element."""
        self._paragraph = "" if tag == "p" else self._paragraph
        given = dict(attrs)
        self.anchors |= {given[key] or "" for key in ("id", "name") if key in given}
        if tag == "link" and set((given.get("rel") or "").split()) & NOT_LOADED:
            return
        self.loads += [address for key, address in attrs if (tag, key) in LOADED and address]
        self.links += [given["href"] or ""] if tag == "a" and "href" in given else []

    def handle_data(self, data: str) -> None:
        """Collect the text of a paragraph."""
        if self._paragraph is not None:
            self._paragraph += data

    def handle_endtag(self, tag: str) -> None:
        """Look at a paragraph that is complete."""
        if tag == "p" and self._paragraph is not None:
            self.lost_lists += [self._paragraph[:40]] if LIST_MARK.search(self._paragraph) else []
            self._paragraph = None


def problems(site: Path) -> list[str]:
    """One sentence for each thing that is wrong with a built site."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = [] if pages else [f"{site} has no pages"]
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        found += [f"{name} loads {url} from another host" for url in page.loads if urlsplit(url).netloc]
        found += [f"{name} shows a list or table as text: {start!r}" for start in page.lost_lists]
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                found.append(f"{name} links to {link}, which is not there")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{name} links to {link}, which has no such heading")
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        found += [f"{style.name} loads from another host"] * ("url(http" in text or "@import" in text)
    return found


if __name__ == "__main__":
    wrong = problems(Path(sys.argv[1]).resolve())
    sys.exit("\n".join(wrong) or 0)
