"""Readers of the data sets: XCSP, ARFF and plain lines."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from copy import deepcopy
from xml.etree import ElementTree

from attack.mutators import bytes_changed, encoded, text_changed, text_of
from experiments import datasets, xcsp

NETWORK = """<instance>
 <presentation format="XCSP 2.1" type="CSP"/>
 <domains nbDomains="2">
  <domain name="D" nbValues="3">0 1 2</domain><domain name="E" nbValues="4">-1 4..6</domain>
 </domains>
 <variables nbVariables="3">
  <variable name="a" domain="D"/><variable name="b" domain="D"/><variable name="c" domain="E"/>
 </variables>
 <relations nbRelations="2">
  <relation name="R" arity="2" nbTuples="3" semantics="supports">0 -1|1 5| 2 6</relation>
  <relation name="S" arity="2" nbTuples="2" semantics="conflicts">1 1|0 2</relation>
 </relations>
 <constraints nbConstraints="2">
  <constraint name="x" arity="2" scope="a c" reference="R"/><constraint name="y" scope="b a" reference="S"/>
 </constraints>
</instance>"""
LAUGHS = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
TRICKS = [
    f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<?xml version="1.0" encoding="cp037"?>',
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "&l9;",
    "&#0;",
    "&#x110000;",
    "&lt;",
    "<!doctype x>",
]
XML_TOKENS = [
    *("<", ">", "/", "=", '"', "domain", "variable", "relation", "constraint", "name", "nbValues", "arity", "scope"),
    *("0..4194305", "..", "1..0", "-9999999999..9999999999", "|", "| |", "semantics", "xmlns=", "a:", "<x>", "</x>"),
    *("<x>" * 3_000, *TRICKS),
]


def tree_changed(rng: random.Random) -> str:
    """Make well-formed XML with attributes, texts and elements changed, dropped, doubled or moved."""
    root = ElementTree.fromstring(NETWORK)
    for _ in range(rng.choice((1, 1, 2, 3))):
        every = list(root.iter())
        one, other = rng.choice(every), rng.choice(every)
        keys = list(one.attrib) or ["name"]
        word = rng.choice((text_of(rng), rng.choice(XML_TOKENS), "R", "a", "D", "3"))
        match rng.randrange(7):
            case 0 | 1:
                one.set(rng.choice(keys), word)
            case 2:
                one.attrib.pop(rng.choice(keys), None)
            case 3:
                one.text = rng.choice((word, f"{one.text} {word}", f"{one.text}|{word}", "0..4194304", "-1..0 0"))
            case 4 if len(one):
                one.remove(one[rng.randrange(len(one))])
            case 5 if len(other):
                one.append(deepcopy(other[rng.randrange(len(other))]))
            case _:
                one.tag = rng.choice((other.tag, "x"))
    text = ElementTree.tostring(root, "unicode")
    return "".join(c for c in text if c in "\t\n" or c >= " ")


def xcsp_made(rng: random.Random) -> bytes:
    """Make changed XML, sometimes with a document type in front."""
    if rng.random() < 0.6:
        return encoded(tree_changed(rng))
    text = text_changed(rng, NETWORK, XML_TOKENS, NETWORK)
    if rng.random() < 0.2:
        text = rng.choice(TRICKS) + text
    if rng.random() < 0.2:
        return bytes_changed(rng, encoded(text))
    return encoded(text)


def xcsp_read(data: bytes) -> None:
    """Parse an XCSP file."""
    xcsp.parse(data.decode("utf-8", "surrogateescape"))


ARFF = "\n".join(
    [
        "@RELATION x",
        "@ATTRIBUTE f1 numeric",
        "@ATTRIBUTE f2 numeric",
        "@ATTRIBUTE class hierarchical 1,1/2,1/2/3,4",
        "@DATA",
        *("1.5,2,1/2/3", "0,1e3,4", "-1,0,1/2@4"),
    ]
)
LINES: dict[str, tuple[str, Callable[[Sequence[str]], object]]] = {
    "satnet": ("\n".join(f"{'0' * 81},{'123456789' * 9}" for _ in range(3)), datasets.satnet_of),
    "mst": ("\n".join(" ".join(str(k % 5) for k in range(98)) for _ in range(3)), datasets.mst_of),
    "arff": (ARFF, datasets.arff_of),
    "renault": ("a b c\n1 2 3\n4 5 6\n-1 0 2", lambda lines: datasets.renault_of(lines, lines[1:])),
}


def lines_made(rng: random.Random) -> bytes:
    """Make a byte that chooses the kind of file, then its text."""
    k = rng.randrange(len(LINES))
    text = list(LINES.values())[k][0]
    return bytes([k]) + encoded(text_changed(rng, text, ["@DATA", "@ATTRIBUTE class", ",", "/", "@", "\n", " "], ARFF))


def lines_read(data: bytes) -> None:
    """Parse the lines as the experiments do after they have compared the checksum."""
    _, parse = list(LINES.values())[(data[0] if data else 0) % len(LINES)]
    parse([line for line in data[1:].decode("utf-8", "replace").split("\n") if line.strip()])
