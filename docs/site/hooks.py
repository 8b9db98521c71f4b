"""What MkDocs does with the pages: files of the root become pages, links to them follow, and notebooks become Markdown.

On the repository's web page a link such as `../README.md` leads to the file in the root. The site has a copy of that
file below project/, so links change on their way there.
"""

from __future__ import annotations

import base64
import json
import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
COPIED = {
    f"{name}.md": f"project/{name.lower()}.md"
    for name in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG", "CODE_OF_CONDUCT")
}
LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?(\))")
OTHER_WORKER = "https://unpkg.com/iframe-worker/shim"  # what the theme would load for pages that are opened as files
IMAGES = {"image/svg+xml": "svg", "image/png": "png"}


def on_config(config: Any) -> Any:
    """Leave out the page for wrong addresses: it finds its styles only at the root of a server, which has its own."""
    config.theme.static_templates.discard("404.html")
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are not Markdown files of docs/."""
    from mkdocs.structure.files import File

    for name, place in COPIED.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, place, content=text))
    for notebook in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        page, images = notebook_page(notebook)
        files.append(File.generated(config, f"notebooks/{notebook.stem}.md", content=page))
        for image, content in images.items():
            files.append(File.generated(config, f"notebooks/{image}", content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Turn links between the root and docs/ into links between pages."""
    place = page.file.src_uri
    origin = next((name for name, copy in COPIED.items() if copy == place), f"docs/{place}")
    markdown = markdown.replace("```python\n>>> ", "```pycon\n>>> ")  # prompts, and what they print
    return LINK.sub(lambda match: f"{match[1]}{_target(match[2], origin, place)}{match[3] or ''}{match[4]}", markdown)


def _plain_table(html: str) -> str:
    """A table of a data frame without its own style, so that the site's applies."""
    html = re.sub(r"<style.*?</style>", "", html, flags=re.DOTALL)
    return re.sub(r"<table[^>]*>", "<table>", html)


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Take the stand-in for workers from this site instead of another host."""
    local = posixpath.relpath("site/file_worker.js", posixpath.dirname(page.file.dest_uri) or ".")
    return output.replace(OTHER_WORKER, local)


def _target(link: str, origin: str, place: str) -> str:
    """The link of a page, in which files have the places that the site gives them."""
    if "://" in link or link.startswith("mailto:"):
        return link
    file = posixpath.normpath(posixpath.join(posixpath.dirname(origin), link))
    there = COPIED.get(file, file.removeprefix("docs/"))
    if there.endswith(".ipynb"):
        there = f"{there.removesuffix('.ipynb')}.md"
    return posixpath.relpath(there, posixpath.dirname(place) or ".")


def notebook_page(path: Path) -> tuple[str, dict[str, bytes]]:
    """A notebook as Markdown, and its pictures by file name."""
    book = json.loads(path.read_text(encoding="utf-8"))
    parts, images = [], dict[str, bytes]()
    for k, cell in enumerate(book["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for n, output in enumerate(cell.get("outputs", ())):
            data = output.get("data", {"text/plain": output.get("text", "")})
            kind = next((kind for kind in IMAGES if kind in data), None)
            if kind is not None:
                name = f"{path.stem}-{k}-{n}.{IMAGES[kind]}"
                text = "".join(data[kind])
                images[name] = base64.b64decode(text) if kind == "image/png" else text.encode()
                parts.append(f"![the figure of the cell above]({name})")
            elif "text/html" in data:
                parts.append(_plain_table("".join(data["text/html"])))
            elif text := "".join(data["text/plain"]).rstrip():
                parts.append(f"```text\n{text}\n```")
    return "\n\n".join(parts) + "\n", images
