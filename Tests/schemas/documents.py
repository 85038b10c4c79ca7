# SPDX-License-Identifier: MIT
"""The documents that the schemas are tried with, besides the cases: what the project has in its files, pages and tests."""
import glob
import os
import re
import sys

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "docs"))

import blocks  # noqa: E402


class CoreLoader(yaml.SafeLoader):
    """YAML 1.2, core schema, as our reader has it; PyYAML's own is that of 1.1, where `yes` is true and `0660` is 432."""

    yaml_implicit_resolvers = {}


CoreLoader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(~|null|Null|NULL|)$"), None)
CoreLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|True|TRUE|false|False|FALSE)$"), None)
CoreLoader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$"), None)
CoreLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$"), None)
CoreLoader.add_constructor(
    "tag:yaml.org,2002:int", lambda loader, node: int(node.value, 0 if node.value[1:2] in ("o", "x") and node.value[2:] else 10))


def parse(text):
    return yaml.load(text, Loader=CoreLoader)


def text_of(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def kind_of(text):
    return "pattern" if re.search(r"^(tracks|pulses|compose|phases):", text, re.M) else "config"


def shipped():
    """(name, kind, text) of each file that is installed."""
    for name in ["configs/hapticd.yaml", "configs/user.yaml"] + sorted(glob.glob("configs/boards/*.yaml", root_dir=ROOT)):
        yield name, "config", text_of(name)
    for name in sorted(glob.glob("configs/patterns/*.yaml", root_dir=ROOT)):
        yield name, "pattern", text_of(name)


def of_pages():
    """The examples of the pages, as `make docs-test` tries them."""
    for page in ["README.md"] + sorted(glob.glob("docs/*.md", root_dir=ROOT) + glob.glob("hw/*.md", root_dir=ROOT)):
        for block in blocks.read(page, text_of(page)):
            if block.kind == "yaml" and not block.mark:
                yield block.place, kind_of(block.text), blocks.whole(block.text)


def of_traces():
    """The configurations and patterns of the engine's scenarios, which are all read."""
    for name in sorted(glob.glob("Tests/GoldenTests/Traces/*.trace", root_dir=ROOT)):
        sections = re.split(r"^=== (.*)\n", text_of(name), flags=re.M)[1:]
        for heading, text in zip(sections[::2], sections[1::2]):
            kind = {"configuration": "config", "pattern": "pattern"}.get(heading.split()[0])
            # A pattern of another format has no schema of ours.
            if kind and not heading.endswith((".ahap", ".haptic")):
                yield f"{name}: {heading}", kind, text


def with_every_key():
    """What the Swift tests read as an example of all keys."""
    yield "everyKey", "config", text_of("Tests/fixtures/every-key.json")
    for name in ["layers", "phases"]:
        yield f"every-key-{name}", "pattern", text_of(f"Tests/fixtures/every-key-{name}.json")
