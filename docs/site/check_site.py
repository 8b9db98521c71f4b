"""Check the built site: `python docs/site/check_site.py build/site`. No page may load anything from another host."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Attributes that make a browser load something when the page is opened. A link that a reader may follow is not one.
LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href"), ("object", "data")}
NOT_LOADED = {"canonical", "next", "prev", "alternate"}  # kinds of <link> that only tell where something is


class Page(HTMLParser):
    """What one page loads, what it links to, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses of one element."""
        given = dict(attrs)
        self.anchors |= {given[key] or "" for key in ("id", "name") if key in given}
        if tag == "link" and set((given.get("rel") or "").split()) & NOT_LOADED:
            return
        self.loads += [address for key, address in attrs if (tag, key) in LOADED and address]
        self.links += [given["href"] or ""] if tag == "a" and "href" in given else []


def problems(site: Path) -> list[str]:
    """One sentence for each thing that is wrong with a built site."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = [] if pages else [f"{site} has no pages"]
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        found += [f"{name} loads {url} from another host" for url in page.loads if urlsplit(url).netloc]
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
