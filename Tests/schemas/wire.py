# SPDX-License-Identifier: MIT
"""What `rpc.discover` says of params, held against what the daemon takes. Patterns that both take ("valid") or both refuse ("invalid"),
and those of which only the daemon can know ("beyond")."""
import glob
import json
import os
import re
import socket
import subprocess
import tempfile
import time

import jsonschema

import documents

_TAP = '{"atMs": 0, "type": "transient", "intensity": 1}'
_LINE = '{"atMs": 0, "intensity": 0.8}, {"atMs": 12.5, "intensity": 0, "curve": "step"}'
_AHAP = '{"Version": 1, "Pattern": [{"Event": {"EventType": "HapticTransient", "Time": 0}}]}'

VALID = [
    '"soft"', f'{{"tracks": [{{"keyframes": [{_LINE}]}}]}}', f'{{"version": 1, "name": "mine", "tracks": [{{"events": [{_TAP}], "gain": 0.5}}]}}',
    f'{{"tracks": [{{"events": [{_TAP}]}}], "sum": "glow", "call": true, "meaning": "error", "light": true, "transition": {{"response": 0.3, "dampingFraction": 1}}}}',
    '{"compose": [{"use": "tick", "repeat": 3, "everyMs": 80}, {"use": "rigid", "gapMs": 60}]}',
    f'{{"phases": [{{"use": "press"}}, {{"tracks": [{{"events": [{_TAP}]}}], "until": "released", "upToMs": 30000}}]}}',
    f'{{"ahap": {_AHAP}}}',
    '{"pulses": [20, 60, 20]}', '{"pulses": [0, 12.5, 20]}', '{"pulses": [[0.5, 30], [0, 60], [1, 40]]}', '{"pulses": [{"forMs": 30, "at": 0.5}, {"pauseMs": 60}]}',
]
INVALID = [
    '""', "5", "true", "[]", '{"tracks": []}', '{"tracks": 5}', '{"tracks": [{}]}', '{"trakcs": []}', '{"compose": [{"gapMs": 60}]}', '{"compose": []}',
    f'{{"tracks": [{{"keyframes": [{_LINE.replace("atMs", "at")}]}}]}}', f'{{"tracks": [{{"keyframes": [{_LINE.replace("12.5", chr(34) + "12ms" + chr(34))}]}}]}}',
    f'{{"tracks": [{{"keyframes": [{_LINE.replace("0.8", chr(34) + "80%" + chr(34))}]}}]}}', f'{{"tracks": [{{"events": [{_TAP.replace("1}", "2}")}]}}]}}',
    f'{{"tracks": [{{"keyframes": [{_LINE}], "events": [{_TAP}]}}]}}', '{"phases": [{"use": "ring", "until": "forever"}]}',
    '{"phases": [{"use": "ring", "until": "released", "upToMs": 3600001}]}', f'{{"ahap": {_AHAP}, "tracks": [{{"events": [{_TAP}]}}]}}', '{"ahap": 5}', '{"wav": {}}',
    '[20, 60, 20]', '{"pulses": 20}', '{"pulses": []}', '{"pulses": ["20ms"]}', '{"pulses": [-1]}', '{"pulses": [60001]}', '{"pulses": [[0.5]]}', '{"pulses": [[0.5, 30, 1]]}',
    '{"pulses": [[2, 30]]}', '{"pulses": [20, [0.5, 30]]}', '{"pulses": [{"for": 30}]}', '{"pulses": [{"at": 0.5}]}', '{"pulses": [{"pauseMs": 60, "at": 0.5}]}',
]
BEYOND = [
    "{}", '{"pulses": [0]}', '{"pulses": [60000, 60000]}', '"sofd"', '{"compose": [{"use": "sofd"}]}', '{"ahap": {}}', '{"haptic": {"tracks": []}}',
    f'{{"tracks": [{{"events": [{_TAP}]}}], "phases": [{{"use": "press"}}]}}', '{"compose": [{"use": "tick", "atMs": 1, "gapMs": 1}]}',
]

NIGHT = '{"from": "22:00", "to": "07:00"}'
SETTINGS = [
    ("valid", "{}"), ("valid", '{"profile": "quiet", "strength": 1.5, "off": {"forMs": 0.5}}'), ("valid", '{"off": false}'),
    ("valid", '{"classes": {"alarm": 0, "texture": null}, "apps": {"org.mail": 0.5, "ä": null}}'), ("valid", f'{{"quietHours": [{NIGHT}]}}'),
    ("valid", '{"quietHours": [{"days": ["mon", "sun"], "from": "00:00", "to": "24:00", "except": {"classes": ["alarm"], "apps": ["a"], "repeated": true}}]}'),
    ("valid", '{"profile": null, "strength": null, "classes": null, "apps": null, "quietHours": null, "off": null}'),
    ("invalid", "[]"), ("invalid", '{"strenght": 1}'), ("invalid", '{"strength": 1.6}'), ("invalid", '{"strength": "50%"}'), ("invalid", '{"profile": "loud"}'),
    ("invalid", '{"classes": {"alarms": 1}}'), ("invalid", '{"classes": {"alarm": -0.1}}'), ("invalid", '{"apps": {"": 1}}'), ("invalid", '{"apps": {"a\\u0007": 1}}'),
    ("invalid", '{"apps": [1]}'), ("invalid", '{"quietHours": [{"from": "22:00"}]}'), ("invalid", '{"quietHours": [{"from": "22:00", "to": "24:30"}]}'),
    ("invalid", f'{{"quietHours": {NIGHT}}}'), ("invalid", '{"quietHours": [{"from": "22:00", "to": "23:00", "days": []}]}'), ("invalid", '{"off": 1}'),
    ("invalid", '{"off": {"forMs": 0}}'), ("invalid", '{"off": {"forMs": 31622400001}}'), ("invalid", '{"off": {"for": 5}}'),
    ("invalid", "{\"apps\": {" + ", ".join(f'"a{number}": 1' for number in range(1025)) + "}}"), ("invalid", f'{{"quietHours": [{", ".join([NIGHT] * 65)}]}}'),
]

HELLO = [
    ("valid", '{"app": "shop", "scope": "ä", "methods": ["event", "rpc.discover", "event"]}'),
    ("valid", f'{{"app": "{"a" * 128}", "scope": "{"b" * 256}", "methods": ["play"]}}'),
    ("invalid", '{"app": "", "scope": "b", "methods": ["event"]}'), ("invalid", '{"app": "a", "scope": 7, "methods": ["event"]}'),
    ("invalid", '{"app": "a\\u0007", "scope": "b", "methods": ["event"]}'), ("invalid", '{"app": "a", "scope": "b", "methods": []}'),
    ("invalid", f'{{"app": "{"a" * 129}", "scope": "b", "methods": ["event"]}}'), ("invalid", f'{{"app": "a", "scope": "{"b" * 257}", "methods": ["event"]}}'),
    ("invalid", '{"app": "a", "scope": "b", "methods": "event"}'), ("invalid", '{"app": "a", "scope": "b", "methods": [5]}'),
    ("beyond", '{"app": "a", "scope": "b", "methods": ["evnet"]}'),
]


def examples():
    """(name, text) of patterns that the daemon takes: other people's files, all keys, and those of the page."""
    for ending in ("ahap", "haptic"):
        for name in sorted(glob.glob(f"Tests/fixtures/{ending}/*.{ending}", root_dir=documents.ROOT)):
            yield name, f'{{"{ending}": {documents.text_of(name)}}}'
    for name, kind, text in documents.with_every_key():
        if kind == "pattern":
            # As they are on the wire; a spring has seconds, in files and there.
            yield name, re.sub(r'"(at|for|pause|duration|attack|decay|release|gap|every|upTo)": "([0-9]+)(ms|s)"',
                               lambda found: f'"{found[1]}Ms": {found[2]}{"000" if found[3] == "s" else ""}', text)
    for line in re.findall(r'^\{.*"pattern":\{.*\}$', documents.text_of("docs/protocol.md"), re.M):
        params = json.loads(line)["params"]
        # A part has a schema of its own.
        if "more" not in params:
            yield "docs/protocol.md", json.dumps(params["pattern"])


class Daemon:
    """The daemon in a folder of its own; leaving the context ends it."""

    def __init__(self, folder_of_programs):
        self._folder = tempfile.TemporaryDirectory()
        path = os.path.join(self._folder.name, "hapticd.sock")
        config = os.path.join(self._folder.name, "hapticd.yaml")
        self._path = path
        with open(config, "w", encoding="utf-8") as file:
            file.write("version: 1\nactuators:\n  - { name: main, backend: simulated }\n")
        self._process = subprocess.Popen(
            [f"{folder_of_programs}/hapticd", "--config", config, "--socket", path, "--state", "none"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 60
        # The socket is there a moment before anything listens to it.
        while not self._connect(path):
            if self._process.poll() is not None or time.monotonic() > end:
                self._process.kill()
                raise SystemExit(f"hapticd does not listen; it said: {self._process.communicate()[1]}")
            time.sleep(0.02)
        self._lines = self._socket.makefile("r", encoding="utf-8")

    def _connect(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(60)
        try:
            self._socket.connect(path)
            return True
        except (FileNotFoundError, ConnectionRefusedError):
            self._socket.close()
            return False

    def ask(self, method, params="{}"):
        """The answer to one request; `params` is JSON."""
        # A pattern of several lines becomes one.
        params = " ".join(params.splitlines())
        self._socket.sendall(f'{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {params}}}\n'.encode())
        return json.loads(self._lines.readline())

    def greet(self, params):
        """The answer to a `hello`, which has a connection of its own."""
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(60)
            peer.connect(self._path)
            peer.sendall(f'{{"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {params}}}\n'.encode())
            return json.loads(peer.makefile("r", encoding="utf-8").readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._lines.close()
        self._socket.close()
        self._process.terminate()
        self._process.communicate()
        self._folder.cleanup()


def run(folder_of_programs, check):
    """`check(name, mistakes)` takes each result."""
    with Daemon(folder_of_programs) as daemon:
        document = daemon.ask("rpc.discover")["result"]
        resolver = jsonschema.RefResolver.from_schema(document)
        validators = {}
        for method in document["methods"]:
            for param in method["params"]:
                schema = param["schema"]
                validators[method["name"], param["name"]] = jsonschema.Draft7Validator(schema, resolver=resolver)
                check(f"the schema of {param['name']} of {method['name']}", mistakes_of_schema(schema))
        check("the schema of a pattern object", mistakes_of_schema(document["components"]["schemas"]["pattern"]))
        patterns = [("valid", text, text) for text in VALID] + [("invalid", text, text) for text in INVALID]
        patterns += [("beyond", text, text) for text in BEYOND] + [("valid", name, text) for name, text in examples()]
        for verdict, name, text in patterns:
            answer = daemon.ask("play", f'{{"pattern": {text}, "class": "alarm"}}')
            is_taken = "result" in answer
            mistakes = []
            if is_taken != (verdict == "valid"):
                mistakes.append("it is taken" if is_taken else f"it is refused: {answer['error']['message']}")
            for place in (("play", "pattern"), ("event", "feedback")):
                found = [error.message[:200] for error in validators[place].iter_errors(json.loads(text))]
                if bool(found) != (verdict == "invalid"):
                    mistakes.append(f"the schema of {' '.join(place)} says: {'; '.join(found) or 'nothing'}")
            check(f"{verdict} pattern on the wire, {name}", mistakes)
        for verdict, text in SETTINGS:
            answer = daemon.ask("settings", f'{{"set": {text}}}')
            mistakes = [] if ("result" in answer) == (verdict == "valid") else [f"the daemon answers {json.dumps(answer)[:200]}"]
            found = [error.message[:200] for error in validators["settings", "set"].iter_errors(json.loads(text))]
            if bool(found) != (verdict == "invalid"):
                mistakes.append(f"the schema says: {'; '.join(found) or 'nothing'}")
            check(f"{verdict} settings on the wire, {text[:60]}", mistakes)
        for verdict, text in HELLO:
            answer = daemon.greet(text)
            mistakes = [] if ("result" in answer) == (verdict == "valid") else [f"the daemon answers {json.dumps(answer)[:200]}"]
            found = [error.message[:200] for name, value in json.loads(text).items() for error in validators["hello", name].iter_errors(value)]
            if bool(found) != (verdict == "invalid"):
                mistakes.append(f"the schema says: {'; '.join(found) or 'nothing'}")
            check(f"{verdict} hello on the wire, {text[:60]}", mistakes)


def mistakes_of_schema(schema):
    metaschema = jsonschema.Draft7Validator(jsonschema.Draft7Validator.META_SCHEMA)
    return [error.message for error in metaschema.iter_errors(schema)]
