// SPDX-License-Identifier: MIT

private let policy =
    #"{"priority": 1, "deadline": "1s", "limit": "10/s", "quiet": "full", "reduced": "half", "silent": "soft"}"#
private let hold =
    #""press": "0.5s", "duration": "1.6s", "curve": "charge", "fall": "300ms", "step": "1%", "mode": "relative", "pattern": "soft", "class": "texture", "intensity": 1, "priority": 1, "actuators": ["main"], "pressed": "tick", "complete": "success", "completeClass": "notification""#

/// A configuration with every key that there is, with the patterns of `/p`. JSON, which YAML is a superset of.
let everyKey = """
    {"version": 1, "profile": "full", "patterns": ["/p"],
    "settings": {"strength": 0.8, "classes": {"alarm": "150%", "notification": 1, "interaction": 1, "texture": 0}, "apps": {},
    "quietHours": [{"days": ["mon", "sun"], "from": "22:00", "to": "07:00",
    "except": {"classes": ["alarm"], "apps": ["org.gnome.clocks"], "repeated": true}}]},
    "socket": {"path": "/run/x", "mode": "0660", "group": "haptics"}, "realtime": {"priority": 1, "lockMemory": true, "cpu": 0},
    "actuators": [{"name": "main", "backend": "simulated", "fallback": "light", "minInterval": "1ms", "variesIntensity": true,
    "variesSharpness": true, "faults": {"failAfter": 1, "recoverAfter": "1s"},
    "reverses": true, "fit": "auto",
    "motor": {"model": "coin", "kind": "erm", "rise": "87ms", "fall": "1ms", "start": "40%", "hold": 0.2, "minPulse": "9ms",
    "overdrive": {"level": "120%", "for": "50ms"}, "brake": true, "minGap": "1ms", "maxOn": "1s", "duty": "40%",
    "thermal": {"winding": "2s", "case": "50s", "continuous": "90%", "soft": 0.7, "floor": "50%"}}},
    {"name": "linear", "backend": "simulated", "motor": {"kind": "lra", "resonance": "170Hz", "q": 6}},
    {"name": "case", "backend": "gpio", "chip": "c", "line": "l", "activeLow": true, "pwm": "200Hz"},
    {"name": "grip", "backend": "pwm", "chip": "c", "channel": 0, "frequency": "20kHz"},
    {"name": "pad", "backend": "evdev", "match": {"name": "n", "path": "/dev/input/event1", "phys": "p", "vendor": 1, "product": 1}},
    {"name": "light", "backend": "led", "led": "l", "colour": "#ff8000"}],
    "classes": {"alarm": \(policy), "notification": \(policy), "interaction": \(policy), "texture": \(policy)},
    "meanings": {"success": "glowError", "warning": "glowSuccess", "error": "glowWarning", "touch": "light"},
    "progress": [{"match": "b", "pattern": "soft", "actuators": ["main"], "handOver": {"to": "case", "duration": "1s"}},
    {"match": "c", "pattern": "soft", "mode": "follow", "response": "50ms", "dampingFraction": 1, "detents": 3, "endStop": "none"},
    {"match": "*", "stagger": "1ms", "from": "last", "pattern": "soft", "step": "1%", "mode": "grid", "direction": "up", "hysteresis": 0.1,
    "minInterval": "1ms", "class": "texture", "intensity": "50%", "priority": 1, "deadline": "1s", "actuators": ["main"],
    "complete": "success", "completeClass": "notification"}],
    "events": [{"match": "y", "pattern": "soft", "actuators": ["main"], "handOver": {"to": "case", "duration": "1s"}},
    {"match": "x", "resume": true, "stagger": "1ms", "from": "last", "when": {"from": "a", "to": "b"}, "pattern": "soft", "class": "alarm", "intensity": 1, "priority": 1,
    "deadline": "1s", "actuators": ["light"]},
    {"match": "z", "transition": {"inserted": "tick", "removed": "light", "combine": "together"}, "class": "interaction"},
    {"match": "w", "transition": {"replaced": "tick"}}],
    "collections": [{"match": "a", "inserted": "tick", "removed": "light", "combine": "sequence", "every": "60ms",
    "stagger": "1ms", "from": "last", "class": "alarm", "intensity": 1, "priority": 1, "deadline": "1s", "actuators": ["light"]},
    {"match": "b", "replaced": "tick", "handOver": {"to": "case", "duration": "1s"}, "actuators": ["main"]}],
    "holds": [{"name": "unlock", "input": {"chip": "c", "line": 23, "activeLow": true, "bias": "up", "debounce": "5ms"}},
    {"name": "power", "input": {"match": {"name": "n", "path": "/dev/input/event1", "phys": "p", "vendor": 1, "product": 1},
    "key": "KEY_POWER", "debounce": "0ms"}, \(hold)}, {"match": "*", \(hold)}],
    "tasks": [{"match": "*", "began": "start", "succeeded": "success", "failed": "error", "cancelled": "stop", "working": "tick",
    "every": "2s", "upTo": "30s", "timeout": "10m", "class": "notification", "intensity": 0.5, "actuators": ["main"]}],
    "bounds": {"clients": 9, "clientsPerUser": 9, "requestsPerClient": "9/s", "requestsPerUser": "9/s", "sources": 9,
    "sourcesPerUser": 9, "sourcesPerClient": 9, "things": 9, "thingsPerUser": 9, "playbacks": 9, "playbacksPerUser": 9, "playbacksPerClient": 9,
    "sourceTimeout": "60s"},
    "access": {"reload": {"users": ["root"], "groups": ["haptics"]}, "cancelAll": {"users": ["ada"], "groups": ["desk"]},
    "profile": {"users": ["ada"], "groups": ["desk"]}, "history": {"users": ["ada"], "groups": ["desk"]},
    "settings": {"users": ["ada"], "groups": ["desk"]}, "speakFor": {"users": ["ada"], "groups": ["desk"]},
    "classes": {"users": ["ada"], "groups": ["desk"]}}}
    """
