"""The pictures of the page about ideas: `python docs/site/drawings.py` writes them into docs/figures.

They are drawn in colours that can be read on a light and on a dark ground.
"""

from __future__ import annotations

from html import escape
from math import comb
from pathlib import Path

FIGURES = Path(__file__).resolve().parents[1] / "figures"
GREY, BLUE, RED, GREEN = "#7d8899", "#3f86d6", "#d4604c", "#3a9a6b"
STEP = 46  # pixels between two integers
LEFT, BOTTOM = 50, 260  # the place of the origin, in pixels


class Drawing:
    """SVG elements, and the size of the picture."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.parts: list[str] = []

    def line(
        self, x: float, y: float, u: float, v: float, colour: str = GREY, width: float = 1.5, dash: str = ""
    ) -> None:
        """A line from (x, y) to (u, v)."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        ends = f'x1="{x:g}" y1="{y:g}" x2="{u:g}" y2="{v:g}"'
        self.parts.append(f'<line {ends} stroke="{colour}" stroke-width="{width:g}"{dashes}/>')

    def dot(self, x: float, y: float, colour: str, hollow: bool = False, radius: float = 6) -> None:
        """A point; a hollow one is not allowed."""
        fill = "none" if hollow else colour
        self.parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
        )

    def area(self, points: list[tuple[float, float]], colour: str) -> None:
        """A pale area."""
        corners = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(f'<polygon points="{corners}" fill="{colour}" fill-opacity="0.16"/>')

    def box(self, x: float, y: float, width: float, height: float, colour: str, opacity: float = 0.85) -> None:
        """A filled box."""
        size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        self.parts.append(f'<rect {size} rx="3" fill="{colour}" fill-opacity="{opacity:g}"/>')

    def text(self, x: float, y: float, words: str, colour: str = GREY, anchor: str = "start", size: int = 15) -> None:
        """Words."""
        place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}"'
        self.parts.append(f'<text {place} fill="{colour}">{escape(words)}</text>')

    def svg(self) -> str:
        """The whole picture."""
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="sans-serif">'
        return "\n".join([head, f"<title>{escape(self.title)}</title>", *self.parts, "</svg>"]) + "\n"


def at(x: float, y: float) -> tuple[float, float]:
    """Where a point of the plane is in the picture."""
    return LEFT + STEP * x, BOTTOM - STEP * y


def grid(drawing: Drawing, most: int, names: tuple[str, str]) -> None:
    """Two axes with integers from 0 to `most`."""
    drawing.line(*at(0, 0), *at(most + 0.6, 0))
    drawing.line(*at(0, 0), *at(0, most + 0.6))
    for k in range(most + 1):
        drawing.text(LEFT + STEP * k, BOTTOM + 20, str(k), anchor="middle", size=13)
        if k:
            drawing.text(LEFT - 12, BOTTOM - STEP * k + 5, str(k), anchor="end", size=13)
    drawing.text(LEFT + STEP * (most + 0.6) + 6, BOTTOM + 5, names[0])
    drawing.text(LEFT - 6, BOTTOM - STEP * (most + 0.6) - 8, names[1])


def rule() -> Drawing:
    """Seats and boxes: all examples lie on one line."""
    drawing = Drawing(520, 300, "Six examples on the line seats + boxes = 5")
    grid(drawing, 4, ("seats", "boxes"))
    drawing.line(*at(0.6, 4.4), *at(4.4, 0.6), BLUE, 2.5)
    for x in range(1, 5):
        drawing.dot(*at(x, 5 - x), GREEN)
    drawing.dot(*at(2, 1), RED, hollow=True)
    drawing.text(330, 80, "seats + boxes = 5", BLUE)
    drawing.dot(336, 112, GREEN)
    drawing.text(350, 117, "an example", GREEN)
    drawing.dot(336, 142, RED, hollow=True)
    drawing.text(350, 147, "breaks the rule", RED)
    return drawing


def cut() -> Drawing:
    """What one decision says: everything worth more was not allowed."""
    drawing = Drawing(560, 300, "The line of equal worth through the chosen label, and what lies beyond it")
    grid(drawing, 4, ("x", "y"))
    drawing.area([at(4.4, 0.3), at(4.4, 4.5), at(0.2, 4.5), at(0.2, 2.4 + 1.8 / 2 - 0.1)], RED)
    drawing.line(*at(0.2, 3.2), *at(4.4, 0.4), RED, 2.5)
    for x in range(5):
        for y in range(5):
            value = 2 * x + 3 * y
            if value < 10:
                drawing.dot(*at(x, y), GREY, radius=4)
            elif value > 10:
                drawing.dot(*at(x, y), RED, hollow=True, radius=4)
    drawing.dot(*at(2, 2), GREEN)
    drawing.text(330, 80, "2·x + 3·y ≤ 10", RED)
    drawing.dot(336, 112, GREEN)
    drawing.text(350, 117, "what was decided", GREEN)
    drawing.dot(336, 142, RED, hollow=True, radius=4)
    drawing.text(350, 147, "worth more: not allowed", RED)
    drawing.dot(336, 172, GREY, radius=4)
    drawing.text(350, 177, "nothing is known", GREY)
    return drawing


def limit() -> Drawing:
    """One inequality that keeps what was chosen and excludes what is proven impossible."""
    drawing = Drawing(520, 300, "One limit between the chosen labels and those that are proven not to be allowed")
    grid(drawing, 4, ("x", "y"))
    drawing.area([at(0, 0), at(4, 0), at(4, 0.5), at(0.5, 4), at(0, 4)], BLUE)
    drawing.line(*at(0.1, 4.4), *at(4.4, 0.1), BLUE, 2.5)
    for x, y in ((0, 4), (1, 3), (3, 1), (4, 0), (2, 2)):
        drawing.dot(*at(x, y), GREEN)
    for x, y in ((1, 4), (2, 3), (3, 2), (4, 1), (3, 3), (4, 3), (2, 4)):
        drawing.dot(*at(x, y), RED, hollow=True, radius=5)
    drawing.text(330, 80, "x + y ≤ 4", BLUE)
    drawing.dot(336, 112, GREEN)
    drawing.text(350, 117, "chosen at least once", GREEN)
    drawing.dot(336, 142, RED, hollow=True, radius=5)
    drawing.text(350, 147, "excluded by a cut", RED)
    return drawing


def evidence() -> Drawing:
    """How many of 10 coins look like a rule, and for how long."""
    drawing = Drawing(520, 290, "The probability that chance alone obeys a rule, falling with the number of examples")
    left, bottom, tall = 60, 240, 190
    drawing.line(left, bottom, left + 400, bottom)
    drawing.line(left, bottom, left, bottom - tall - 16)
    rows = comb(10, 2)  # pairs of columns that might seem equal
    for k in range(1, 13):
        share = min(1.0, rows * 0.5**k)
        drawing.box(
            left + 30 * k - 10, bottom - tall * share, 20, max(1.5, tall * share), BLUE if share < 0.05 else GREY
        )
        drawing.text(left + 30 * k, bottom + 20, str(k), anchor="middle", size=13)
    drawing.text(left + 200, bottom + 42, "examples", anchor="middle")
    drawing.text(left - 10, bottom - tall + 5, "1", anchor="end", size=13)
    drawing.text(left - 10, bottom + 5, "0", anchor="end", size=13)
    drawing.line(left, bottom - tall * 0.05, left + 400, bottom - tall * 0.05, RED, 1.5, "5 4")
    drawing.text(left + 396, bottom - tall * 0.05 - 8, "1 in 20", RED, "end", 13)
    drawing.text(left + 10, 40, "how likely chance makes two of ten columns equal, at most")
    return drawing


def proof() -> Drawing:
    """A value that an example has, and a bound that no label passes: they meet."""
    drawing = Drawing(520, 190, "Values on a line: the best seen label and the bound meet")
    for row, (best, bound, words, colour) in enumerate(
        (((360), (360), "proven: they meet", GREEN), ((280), (400), "not proven: the best may be in between", RED))
    ):
        y = 60 + 80 * row
        drawing.line(60, y, 480, y)
        drawing.box(best, y - 4, max(2, bound - best), 8, colour, 0.35)
        drawing.dot(best, y, BLUE)
        drawing.line(bound, y - 16, bound, y + 16, RED, 3)
        drawing.text(60, y - 24, words, colour)
        drawing.text(best - 12, y + 28, "best seen label", BLUE, "end", 13)
        drawing.text(bound + 10, y + 28, "bound", RED, "start", 13)
    drawing.text(484, 65, "worth", size=13)
    return drawing


DRAWINGS = {"rule": rule, "cut": cut, "limit": limit, "evidence": evidence, "proof": proof}

if __name__ == "__main__":
    for name, draw in DRAWINGS.items():
        (FIGURES / f"idea-{name}.svg").write_text(draw().svg(), encoding="utf-8")
