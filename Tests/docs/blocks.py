# SPDX-License-Identifier: MIT
"""The fenced blocks of a page, with what is said of them."""
import re
from dataclasses import dataclass

FENCE = re.compile(r"^( *)```(.*)$")
MARK = re.compile(r"^ *<!-- example: (not run|until Ctrl-C|fails|output)(?:: (.+?))? -->$")


class Wrong(Exception):
    """Something in a page is not as it says: a sentence for its author."""


@dataclass
class Block:
    page: str
    line: int
    kind: str      # the first word behind the fence
    use: str       # the words after it, such as `install`
    mark: str      # of the comment before it; empty: none
    reason: str    # what the comment says after its colon
    text: str

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def read(page, text):
    """All fenced blocks of `text` in order; indented ones without their indentation."""
    blocks, before, lines = [], "", enumerate(text.splitlines(), 1)
    for number, line in lines:
        fence = FENCE.match(line)
        if not fence:
            before = line if line.strip() else before
            if line.lstrip().startswith("<!-- example") and not MARK.match(line):
                raise Wrong(f"{page}:{number}: `{line.strip()}` is no mark of an example; Tests/docs/run has them")
            continue
        indent, words = fence[1], fence[2].split()
        body = []
        for _, inner in lines:
            if inner.strip() == "```":
                break
            body.append(inner.removeprefix(indent))
        else:
            raise Wrong(f"{page}:{number}: the block has no end")
        mark = MARK.match(before)
        if mark and mark[1] == "not run" and not mark[2]:
            raise Wrong(f"{page}:{number}: say why it is not run: `<!-- example: not run: REASON -->`")
        blocks.append(Block(
            page, number, words[0] if words else "", " ".join(words[1:]), mark[1] if mark else "",
            (mark[2] or "") if mark else "", "\n".join(body) + "\n"))
        before = ""
    return blocks


def whole(text):
    """A configuration of which a `yaml` block may be a part, with what each needs; a pattern as it is."""
    if re.search(r"^(tracks|pulses|compose|phases):", text, re.M):
        return text
    if not re.search(r"^version:", text, re.M):
        text += "version: 1\n"
    if not re.search(r"^actuators:", text, re.M):
        text += "actuators: [{ name: main, backend: simulated }]\n"
    return text


def commands(text):
    """The commands of a `console` block, each with the output that follows it; a command goes on after a backslash."""
    found = []
    goes_on = False
    for line in text.splitlines():
        if goes_on:
            found[-1][0] += "\n" + line
        elif line.startswith("$ "):
            found.append([line[2:], []])
        elif found:
            found[-1][1].append(line)
        else:
            raise Wrong("a console block begins with a line `$ COMMAND`")
        goes_on = (goes_on or line.startswith("$ ")) and line.endswith("\\")
    return [(command, "\n".join(output).strip("\n")) for command, output in found]


def matches(expected, actual):
    """Whether `actual` is what a page shows: `…` stands for anything in its line, and a line of only that for any lines."""
    pattern = ""
    for line in expected.rstrip().split("\n"):
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("…")) + r"[ ]*\n"
    return re.fullmatch(pattern, actual.rstrip() + "\n") is not None


def slug(heading):
    """The anchor that a heading has on a page."""
    words = re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", lambda link: link[1] or "", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def links(text):
    """The targets of all links outside of fenced blocks."""
    prose = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.S | re.M)
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", prose))


def anchors(text):
    prose = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.S | re.M)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", prose, flags=re.M)}
