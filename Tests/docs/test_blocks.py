# SPDX-License-Identifier: MIT
"""What would pass though it is wrong is found by these."""
import unittest

from blocks import Wrong, anchors, commands, links, matches, read, whole
from session import unlike


class Blocks(unittest.TestCase):
    def test_a_block_has_its_kind_its_use_and_its_mark(self):
        page = "text\n\n   <!-- example: not run: needs a motor -->\n   ```sh install\n   a\n     b\n   ```\n```json\n{}\n```\n"
        first, second = read("page.md", page)
        self.assertEqual((first.line, first.kind, first.use, first.mark, first.reason, first.text),
                         (4, "sh", "install", "not run", "needs a motor", "a\n  b\n"))
        self.assertEqual((second.kind, second.use, second.mark), ("json", "", ""))

    def test_a_mark_is_for_the_next_block_only_and_must_be_known(self):
        text = "<!-- example: fails -->\n```sh\nfalse\n```\n\n```sh\ntrue\n```\n"
        self.assertEqual([block.mark for block in read("page.md", text)], ["fails", ""])
        for wrong in ("<!-- example: not run -->\n```sh\n```", "<!-- example: maybe -->\n", "```sh\nno end\n"):
            with self.assertRaises(Wrong):
                read("page.md", wrong)

    def test_commands_have_their_output_and_go_on_after_a_backslash(self):
        self.assertEqual(commands("$ a \\\n  b\nsaid\n\nmore\n$ c\n"), [("a \\\n  b", "said\n\nmore"), ("c", "")])
        with self.assertRaises(Wrong):
            commands("no command\n")

    def test_a_part_of_a_configuration_becomes_a_whole_one(self):
        self.assertEqual(
            whole("profile: full\n"), "profile: full\nversion: 1\nactuators: [{ name: main, backend: simulated }]\n")
        for text in ("version: 1\nactuators:\n  - { name: a, backend: led, led: b }\n", "version: 1\nname: a\ntracks: []\n"):
            self.assertEqual(whole(text), text)

    def test_output_matches_as_shown(self):
        for expected, actual, is_so in (
            ("a\nb", "a\nb\n", True), ("a", "a\nb\n", False), ("a…c\n", "abc\n", True), ("a…c", "ab\nc", False),
            ("a\n…", "a\nb\nc\n", True), ("a\n…\nz", "a\nb\nc\nz", True), ("a\n…\nz", "a\nz", True), ("a\n…\nz", "a\nb", False),
            ("a.c", "abc", False),
        ):
            self.assertEqual(matches(expected, actual), is_so, (expected, actual))

    def test_links_and_anchors(self):
        self.assertEqual(links("[a](b.md#c) `[x](y)`\n```\n[x](y)\n```\n![p](q.svg)"), ["b.md#c", "q.svg"])
        self.assertEqual(anchors("# Where the `socket` is\n## [A](b), C\n```\n# no\n```\n"), {"where-the-socket-is", "a-c"})

    def test_an_answer_is_like_the_one_shown_but_for_times_and_counts(self):
        shown = {"seq": 1, "atNs": 5, "reason": None, "list": [{"value": 0.5}]}
        self.assertIsNone(unlike(shown, {"seq": 9, "atNs": 7, "reason": None, "list": [{"value": 0.5}]}))
        for other in (
            {"seq": "9"}, {"reason": "stale"}, {"list": []}, {"list": [{"value": 0.6}]}, {"list": [{"value": 0.5, "more": 1}]},
        ):
            self.assertIsNotNone(unlike(shown, {**shown, **other}), other)


if __name__ == "__main__":
    unittest.main()
