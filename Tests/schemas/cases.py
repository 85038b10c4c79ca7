# SPDX-License-Identifier: MIT
"""Files that schema and reader both take ("valid") or both refuse ("invalid"), and those of which only the reader can know ("beyond").

`@` stands for the value of a row; what every file needs is put around it.
"""

TIMES = ["20ms", "1.6ms", "+20ms", "0.5s", ".5s", "5.e-1s", "2e8ns", "250us", '"20ms"', "0.10s"]
NO_TIMES = ["20", "20 ms", "2d", "ms", "20MS", "-5ms", "[20ms]", "null", "true", "1_000ms", "0x5ms", "٢ms", ".ms", "1e400", '""']
SHARES = ["0.5", "50%", '"0.5"', "1", "0.0", "100%", "100.0%", "+40%", ".5", "5e1%", "99.9%", "00.5", "1e-1", '"-0"']
NO_SHARES = ["1.1", "-0.1", "150%", "100.5%", '"1.5"', "-5%", "40 %", '"%"', "half", "null", "[0.5]", "true", '""']

STRENGTHS = ["0", "1.5", "0.8", "0%", "150%", "80%", '"12.5%"', "150.0%", "+40%", "5e1%", '"-0%"']
NO_STRENGTHS = ["1.51", "-0.1", "151%", "-1%", "80 %", '"0.8"', "half", "null", "[1]", "true", '""', '"%"']

# (kind, what goes around the value, valid ones, invalid ones, ones of which a schema cannot know)
ROWS = [
    # Top level
    ("config", "version: @", ["1", "1.0", "0x1"], ["2", "0", '"1"', "true", "null", "[1]"], []),
    ("config", "profile: @", ["full", "quiet", '"silent"'], ["loud", "1", "null", "Full"], []),
    ("config", "@: 1", [], ["profil", "Version", "tracks", "x-mine", '""'], []),
    ("config", "patterns: @", ["[]"], ["patterns", "[5]", '[""]', "null", "{}", "[" + ", ".join(["a"] * 17) + "]"], ["[/no/such/folder]"]),
    ("config", "actuators: @", [], ["[]", "null", "{}", "[main]", "[{}]"], ["[{ name: a, backend: simulated }, { name: a, backend: simulated }]"]),
    # Socket and realtime
    ("config", "socket: @", ["{}"], ["[]", "null", "/run/x", "{ grop: g }", "{ path: }"], []),
    ("config", "socket: { mode: @ }", ['"0660"', '"660"', '"0777"', '"000"'],
        ["0660", '"1777"', '"0888"', '"66"', '"00660"', '"+660"', '"-000"', "null"], []),
    ("config", "socket: { path: @ }", ["/run/x", '"/a b"'], ["run/x", '""', "5", '"/a\\tb"', "/" + "a" * 107], ["/" + "ä" * 60]),
    ("config", "socket: { group: @ }", ["haptics"], ["5", '""', "a" * 33], []),
    ("config", "realtime: { priority: @ }", ["1", "99", "none", "4.0e1"], ["0", "100", "1.5", "None", '"40"', "null"], []),
    ("config", "realtime: { lockMemory: @ }", ["true", "False"], ["yes", "1", '"true"', "null"], []),
    ("config", "realtime: { cpu: @ }", ["0", "1023"], ["-1", "1024", "none"], []),
    # Actuators
    ("config", "actuators: [{ name: @, backend: simulated }]", ["a", '"a b"', "ä"], ["5", '""', "null", '"a\\nb"', "a" * 129], ["ä" * 65]),
    ("config", "actuators: [{ name: a, backend: @ }]", ["simulated"], ["simulatd", "5", "null", "led", "gpio", "Simulated"], []),
    ("config", "actuators: [{ @ }]", [], ["name: a", "backend: simulated", "name: a, backend: simulatd, chip: x"], []),
    ("config", "actuators: [{ name: a, backend: simulated, @ }]",
        ["variesIntensity: false", "minInterval: 1ms", "motor: {}", "motor: { kind: lra, duty: 40%, maxOn: 2s }", "faults: { failAfter: 0 }"],
        ["chip: x", "led: x", "Motor: {}", "motor: []", "motor: { kind: emr }", "motor: { speed: 1 }", "faults: {}", "faults: { failAfter: -1 }",
         "minInterval: 1", "variesSharpness: 0", "fallback: 5"],
        ["fallback: b", "fallback: a", "minInterval: 101ms", "motor: { rise: 11s }"]),
    ("config", "actuators: [{ name: a, backend: gpio, @ }]",
        ["chip: c, line: 17", "chip: c, line: GPIO17", "chip: c, line: 0x11, activeLow: true, pwm: true", "chip: c, line: 1, pwm: 200Hz",
         "chip: c, line: 1, pwm: 0.2kHz"],
        ["chip: c", "line: 1", "chip: 0, line: 1", "chip: c, line: 1024", "chip: c, line: -1", "chip: c, line: 1, pwm: 200", "chip: c, line: 1, pwm: 0Hz",
         "chip: c, line: 1, pwm: -5Hz", "chip: c, line: 1, pwm: 200hz", "chip: c, line: 1, channel: 0", "chip: c, line: 1, match: { name: a }"],
        ["chip: c, line: 1, pwm: 5Hz", "chip: c, line: 1, pwm: 3kHz"]),
    ("config", "actuators: [{ name: a, backend: pwm, @ }]",
        ["chip: c, channel: 0, frequency: 20kHz", "chip: c, channel: 63, frequency: 1e3Hz"],
        ["chip: c, channel: 0", "chip: c, channel: 64, frequency: 20kHz", "chip: c, channel: 0, frequency: 5MHz", "chip: c, channel: a, frequency: 20kHz",
         "chip: c, channel: 0, frequency: 20kHz, line: 1"],
        ["chip: c, channel: 0, frequency: 2000kHz"]),
    ("config", "actuators: [{ name: a, backend: led, @ }]",
        ["led: x", 'led: x, colour: "#FF8000"', "led: x, minInterval: 2ms"],
        ["motor: {}", "led: x, motor: {}", "led: 5", 'led: x, colour: "#ff80"', "led: x, colour: red", 'led: x, colour: "#+f8000"', "led: x, color: red"], []),
    ("config", "actuators: [{ name: a, backend: evdev, match: @ }]",
        ['{ name: "*" }', "{ vendor: 0x045e, product: 65535 }", "{ path: /dev/input/event1, phys: p }"],
        ["{}", "null", "pad", "{ vendor: 65536 }", '{ vendor: "045e" }', "{ nam: a }", "{ name: 5 }"], []),
    ("config", "actuators: [{ name: a, backend: simulated, motor: { minGap: @ } }]", TIMES + ["0ms", "-0ms", "0.0s", "1s"], NO_TIMES, ["2s"]),
    ("config", "actuators: [{ name: a, backend: simulated, motor: { maxOn: @ } }]", ["1ms", "1.6s", "+60s", "1e3ms"], ["0ms", "0.0s", "-0ms", "+.0s", "0e3ms", "5"], ["999us", "250us", "61s"]),
    ("config", "actuators: [{ name: a, backend: simulated, motor: @ }]",
        ["precision-310-103", "{ model: slow-erm, maxOn: 2s }", "{ rise: 87ms, start: 40% }", "{ kind: lra, resonance: 170Hz, q: 6, start: 0 }",
         "{ thermal: {} }", "{ kind: lra, thermal: { winding: 1s, case: 45s, continuous: 0.9, soft: 70%, floor: 1 } }",
         "{ overdrive: { level: 120%, for: 50ms } }", "{ overdrive: { level: 1.5, for: 1s } }", "{ brake: true, hold: 10%, minPulse: 35ms }"],
        ["precision", "5", "null", "[slow-erm]", "{ model: slow }", "{ start: 2 }", "{ overdrive: 120% }", "{ overdrive: { level: 120% } }",
         "{ overdrive: { level: 0.9, for: 50ms } }", "{ overdrive: { level: 160%, for: 50ms } }", "{ resonance: 170 }", "{ q: 0 }", "{ brake: yes }",
         "{ thermal: true }", "{ thermal: null }", "{ thermal: { windings: 1s } }", "{ thermal: { soft: 0 } }", "{ thermal: { case: 60 } }"],
        ["{ thermal: { soft: 100% } }", "{ thermal: { floor: 9% } }", "{ thermal: { winding: 61s } }", "{ thermal: { winding: 5s, case: 4s } }",
         "{ start: 40% }", "{ start: 40%, rise: 0ms }", "{ start: 40%, hold: 50%, rise: 50ms }", "{ kind: erm, q: 5 }", "{ q: 5, kind: lra }",
         "{ model: slow-erm, kind: lra }", "{ kind: lra, resonance: 170Hz, q: 10, fall: 1ms }"]),
    ("config", "actuators: [{ name: a, backend: simulated, fit: @ }]", ["auto", "off"], ["on", "false", "null"], []),
    ("config", "actuators: [{ name: a, backend: simulated, motor: { duty: @ } }]", ["40%", "1", "0.001%", "1e-3%"], ["0", "0%", '"0.0"', "0.00%"], []),
    # Rules
    ("config", "progress: @", ["[]"], ["{}", "null", "[soft]", "[{}]", "[{ match: a }]", "[{ pattern: soft }]"], []),
    ("config", "progress: [{ match: a, pattern: soft, @ }]",
        ["step: 1%", "step: 1, mode: grid, direction: up, hysteresis: 0.1", "minInterval: 0ms", "complete: success, completeClass: alarm", "actuators: [main]",
         "stagger: 60ms", "stagger: 1s, from: center"],
        ["step: 0", "step: 0%", "step: -1%", "mode: relativ", "direction: left", "hysteresis: 2", "minInterval: 5", "class: loud", "priority: 101", "priority: 1.5",
         "actuators: []", "actuators: main", "actuators: [5]", "patern: soft", "when: { to: 1 }", "deadline: none"],
        ["complete: none", "actuators: [pad]", "actuators: [main, main]", "minInterval: 61s", "from: last", "handOver: { to: pad }"]),
    ("config", "holds: @", ["[]"], ["{}", "null", "[unlock]", "[{}]", "[{ press: 1s }]"], []),
    ("config", "holds: [{ @ }]",
        ["match: a", 'match: "*", press: 0ms, duration: 3s, curve: linear, fall: 1s, step: 10%, mode: grid, pattern: tick, class: alarm, intensity: 50%, priority: 1',
         "match: a, complete: confirm, completeClass: alarm, actuators: [main]", "name: a, input: { chip: c, line: 23 }",
         "name: a, input: { chip: c, line: BUTTON, activeLow: true, bias: up, debounce: 0ms }, press: 1s",
         "name: a, input: { match: { name: b }, key: KEY_POWER }", 'name: a, input: { match: { vendor: 1, phys: "*" }, key: BTN_SOUTH, debounce: 5ms }'],
        ["name: a", "input: { chip: c, line: 1 }", "match: a, name: b", "match: a, input: { chip: c, line: 1 }", "match: 5", "match: a, press: 1", "match: a, curve: quick",
         "match: a, patern: soft", "match: a, step: 0", "match: a, deadline: 1s", "name: a, input: 5", "name: a, input: {}", "name: a, input: { chip: c }",
         "name: a, input: { match: { name: b } }", "name: a, input: { match: {}, key: KEY_POWER }", "name: a, input: { match: { name: b }, key: POWER }",
         "name: a, input: { chip: c, line: 1, bias: high }", "name: a, input: { chip: c, line: 1, key: KEY_A }", "name: a, input: { chip: c, line: 1, pwm: true }",
         "name: '', input: { chip: c, line: 1 }", "name: a, input: { chip: c, line: 1 }, match: b"],
        ["match: a, pattern: nosuch", "match: a, press: 61s", "match: a, duration: 1ms", "name: a, input: { match: { name: b }, key: KEY_NO_SUCH }",
         "name: a, input: { chip: c, line: 1, debounce: 2s }", "match: a, actuators: [pad]"]),
    ("config", "actuators: [{ name: a, backend: simulated }, { name: b, backend: simulated }]\nevents: [{ match: x, pattern: soft, @ }]",
        ["stagger: 1s", "stagger: 500ms, from: last", "handOver: { to: b }", "actuators: [a], handOver: { to: b, duration: 200ms }"],
        ["stagger: 0ms", "stagger: 60", "stagger: 60ms, from: middle", "handOver: b", "handOver: {}", "handOver: { to: b, for: 1s }",
         "handOver: { duration: 200ms }", "handOver: { to: b, duration: 0ms }"],
        ["handOver: { to: c }", "actuators: [b], handOver: { to: b }", "stagger: 60ms, handOver: { to: b }", "handOver: { to: b, duration: 11s }",
         "actuators: [a, b], stagger: 1001ms", "from: first"]),
    ("config", "events: [{ match: a, pattern: soft, @ }]",
        ["when: { to: failed }", 'when: { from: "*", to: null }', "when: { to: true }", "when: { from: 1.5 }", "deadline: 1s", "class: alarm", "resume: true"],
        ["when: {}", "when: failed", "when: { too: 1 }", "when: { to: [1] }", "when: { to: {} }", "step: 1%", "deadline: 5", "deadline: 0ms", "intensity: null", "resume: yes", "resume: 1s"],
        ["when: { to: " + "a" * 257 + " }", "deadline: 3601s"]),
    ("config", "events: [{ match: a, @ }]",
        ["transition: { inserted: tick }", "transition: { inserted: tick, removed: release, combine: together }, class: interaction, intensity: 50%",
         "transition: { replaced: selection }, resume: true"],
        ["transition: tick", "transition: { inserted: 5 }", "transition: { inserts: tick }", "transition: { inserted: tick, removed: soft, combine: both }",
         "transition: { inserted: tick }, pattern: soft", "transition: { inserted: tick }, when: { to: 1 }", "class: alarm"],
        ["transition: {}", "transition: { inserted: tik }", "transition: { inserted: tick, combine: first }"]),
    ("config", "collections: @", ["[]", '[{ match: "cart.*", inserted: tick }, { match: "*", removed: release }]'], ["{}", "null", "[{}]", "[{ inserted: tick }]"],
        ["[{ match: a }]", '[{ match: "*", inserted: tick }, { match: a, inserted: tick }]']),
    ("config", "collections: [{ match: a, inserted: tick, @ }]",
        ["removed: release", "removed: release, combine: sequence", "replaced: selection", "every: 1s", "class: alarm, priority: 5, deadline: 1s", "intensity: 50%",
         "actuators: [main]", "stagger: 60ms, from: center"],
        ["removed: 5", "combine: both", "every: 0", "every: 60", "class: loud", "pattern: soft", "when: { to: 1 }", "resume: true", "intensity: 2", "actuators: []"],
        ["removed: relaese", "combine: first", "replaced: tick, removed: soft, combine: first", "every: 1001ms", "actuators: [pad]"]),
    ("config", "tasks: @", ["[]", '[{ match: "*", began: start, succeeded: success, failed: error, timeout: 10m }]'], ["{}", "null", "[{}]", "[{ began: start }]"],
        ["[{ match: a }]", '[{ match: "*", began: tick }, { match: a, began: tick }]']),
    ("config", "tasks: [{ match: a, began: start, @ }]",
        ["cancelled: stop", "working: tick", "working: tick, every: 100ms, upTo: 24h", "timeout: 7s", "timeout: 1.5h", "class: alarm", "intensity: 50%", "actuators: [main]"],
        ["cancelled: 5", "working: null", "timeout: 600", "class: loud", "pattern: soft", "deadline: 1s", "done: success"],
        ["working: tik", "every: 2s", "upTo: 2s", "working: tick, every: 99ms", "timeout: 0s", "timeout: 169h", "actuators: [pad]"]),
    ("config", "events: [{ match: @, pattern: soft }]", ["a", '"*.failed"'], ['""', "5", "null"], []),
    ("config", "events: [{ match: a, pattern: soft, intensity: @ }]", SHARES + ["0", "0%"], NO_SHARES, []),
    ("config", "events: @", [], ["[{ match: a, pattern: 5 }]"], ["[{ match: a, pattern: sofft }]", "[{ match: a, pattern: soft }, { match: a, pattern: tick }]"]),
    # Classes, bounds, access
    ("config", "classes: @", ["{}", "{ alarm: {} }"], ["[]", "{ textur: {} }", "{ alarm: [] }"], []),
    ("config", "classes: { alarm: { @ } }",
        ["priority: 0", "deadline: none", "deadline: 1s", "limit: none", "quiet: soft, reduced: half, silent: nothing"],
        ["priority: 101", "deadline: 10", "deadline: never", "quiet: 1", "loud: soft", "limit: null"], ["quiet: sofft", "deadline: 3601s"]),
    ("config", "classes: { texture: { limit: @ } }", ["10/s", "1/s", "+5/s", "007/s", "100000/s"], ["10", "0/s", "-1/s", "1.5/s", "10/m", "1000000/s", "/s"], ["100001/s"]),
    ("config", "meanings: { @ }", ["", "success: glowSuccess", "warning: light, error: glowError, touch: soft"],
        ["success: 1", "succes: soft", "touch: null", "error: [soft]"], ["error: sofft", "success: alarm"]),
    ("config", "bounds: { @ }",
        ["clients: 1", "clientsPerUser: none", "requestsPerUser: 1000000/s", "playbacksPerClient: 65536", "sourceTimeout: 60s", "things: 10000000, thingsPerUser: 1"],
        ["clients: 0", "clients: none", "sources: 1.5", "playbacks: -1", "playbackPerUser: 1", "sourcesPerClient: non", "sourceTimeout: 60", "clientsPerUser: 0", "things: none", "thingsPerUser: 10000001",
         "requestsPerClient: 10"],
        ["sourceTimeout: 999ms", "requestsPerUser: 1000001/s"]),
    ("config", "access: @", ["{}"], ["[]", "null", "{ relod: { users: [a] } }"], []),
    ("config", "access: { profile: @ }", ["{ users: [root] }", "{ groups: [desk], users: [ada] }"],
        ["{}", "[root]", "{ users: [] }", "{ users: [5] }", "{ group: [desk] }", "{ users: root }"], []),
    # Settings
    ("config", "settings: @", ["{}", "{ strength: 1, classes: {}, apps: {}, quietHours: [] }"], ["[]", "null", "{ strenght: 1 }", "{ off: true }", "{ profile: quiet }"], []),
    ("config", "settings: { strength: @ }", STRENGTHS, NO_STRENGTHS, []),
    ("config", "settings: { classes: @ }", ["{ alarm: 150%, texture: 0 }"], ["[]", "null", "{ alarms: 1 }", "{ alarm: 2 }", "{ alarm: { limit: none } }"], []),
    ("config", "settings: { apps: @ }", ["{ org.mail: 50%, a b: 1, ä: 0 }", "{ " + "a" * 128 + ": 1 }"],
        ["[]", "null", "{ a: 2 }", '{ "": 1 }', "{ a: null }", '{ "a\\tb": 1 }', "{ " + "a" * 129 + ": 1 }",
         "{ " + ", ".join(f"a{i}: 1" for i in range(1025)) + " }"], ["{ " + "ä" * 65 + ": 1 }"]),
    ("config", "settings: { quietHours: @ }", ["[]"], ["{}", "null", "[{}]", "[22:00]", "[" + ", ".join(["{ from: 22:00, to: 07:00 }"] * 65) + "]"], []),
    ("config", "settings: { quietHours: [{ to: 07:00, @ }] }",
        ["from: 22:00", 'from: "00:00"', "from: 24:00", "from: 23:59, days: [mon, sun]", "from: 22:00, except: {}",
         "from: 22:00, except: { classes: [alarm], apps: [org.clocks], repeated: true }"],
        ["days: [mon]", "from: 7:00", "from: 24:01", "from: 22:60", "from: 700", "from: 22:00, days: []", "from: 22:00, days: [monday]", "from: 22:00, days: mon",
         "from: 22:00, except: [alarm]", "from: 22:00, except: { app: [a] }", "from: 22:00, except: { classes: [loud] }", "from: 22:00, except: { repeated: 2 }"],
        ["from: 22:00, days: [mon, mon]", "from: 22:00, except: { classes: [alarm, alarm] }"]),
    # Patterns
    ("pattern", "version: @", ["1"], ["2", '"1"', "null"], []),
    ("pattern", "name: @", ["mine", "ä"], ["5", '""', "null", '"a\\tb"'], []),
    ("pattern", "description: @", ["Words.", '""', '"a\\nb"'], ["5", "null", "[]"], []),
    ("pattern", "@: 1", [], ["loop", "actuator", "Tracks"], []),
    ("pattern", "tracks: @", [], ["[]", "{}", "null", "[{}]", "[{ keyframes: [] }]", "[{ events: [] }]", "[{ notes: [] }]"], []),
    ("pattern", "tracks: [{ keyframes: [{ at: 0ms, intensity: 1 }, { @ }] }]",
        ["at: 20ms, intensity: 0.4", "at: 20ms, intensity: 40%, sharpness: 1, curve: easeIn", "at: 1.6s, intensity: 0",
         "at: 20ms, intensity: 1, curve: { spring: { response: 0.2, dampingFraction: 0.8 } }", "at: 20ms, intensity: 1, curve: { spring: { duration: 200ms } }",
         "at: 20ms, intensity: 1, curve: { spring: { duration: 0.5, bounce: -0.5 } }"],
        ["at: 20, intensity: 1", "at: 20ms", "intensity: 1", "at: -1ms, intensity: 1", "at: 20ms, intensity: 1.5", "at: 20ms, intensty: 1", "at: 2d, intensity: 1",
         "at: 20ms, intensity: 1, curve: eseOut", "at: 20ms, intensity: 1, curve: {}", "at: 20ms, intensity: 1, curve: { spring: {} }",
         "at: 20ms, intensity: 1, curve: { spring: { response: 0.2 } }", "at: 20ms, intensity: 1, curve: { spring: { response: 0.2, bounce: 0 } }",
         "at: 20ms, intensity: 1, curve: { spring: { response: 0, dampingFraction: 1 } }", "at: 20ms, intensity: 1, curve: { spring: { duration: 0.5, bounce: 2 } }",
         "at: 20ms, intensity: 1, curve: { spring: { duration: 61 } }", "at: 20ms, intensity: 1, curve: null"],
        ["at: 0ms, intensity: 1", "at: 61s, intensity: 1"]),
    ("pattern", "tracks: [{ keyframes: [{ at: 0ms, intensity: 1 }] @ }]", [],
        ["", ", events: [{ at: 0ms, type: transient, intensity: 1 }]"], []),
    ("pattern", "tracks: [{ events: [{ @ }] }]",
        ["at: 0ms, type: transient, intensity: 1", "at: 0s, type: transient, intensity: 1%, sharpness: 0.2", "at: 0ms, type: continuous, intensity: 1, duration: 1s",
         "at: 0ms, type: continuous, intensity: 1, duration: 1s, sustained: false, attack: 1ms, decay: 1ms, release: 0ms"],
        ["type: transient, intensity: 1", "at: 0ms, intensity: 1", "at: 0ms, type: tap, intensity: 1", "at: 0ms, type: transient, intensity: 1, duration: 1s",
         "at: 0ms, type: transient, intensity: 1, attack: 1ms", "at: 0ms, type: continuous, intensity: 1", "at: 0ms, type: continuous, intensity: 1, duration: 1",
         "at: 0ms, type: continuous, intensity: 1, duration: 1s, sustained: yes", "at: 0ms, type: transient, intensity: -1"],
        ["at: 0ms, type: continuous, intensity: 1, duration: 61s"]),
    ("pattern", "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }], gain: @ }]", SHARES, NO_SHARES, []),
    ("pattern", "compose: @", ["[{ use: tick }]"], ["[]", "{}", "null", "[tick]", "[{}]", "[{ use: 5 }]", '[{ use: "" }]'], ["[{ use: tik }]"]),
    ("pattern", "compose: [{ use: tick, @ }]",
        ["at: 20ms", "gap: 20ms", "intensity: 40%, sharpness: 1", "repeat: 3, every: 80ms"],
        ["at: 20", "gap: -1ms", "intensity: 2", "sharpness: crisp", "repeat: 0, every: 80ms", "repeat: 1025, every: 1ms", "repeat: 1.5, every: 80ms", "times: 3",
         "tracks: []", "repeat: 2, every: 0ms"],
        ["at: 1ms, gap: 1ms", "repeat: 3", "every: 80ms", "at: 61s"]),
    ("pattern", "sum: @", ["plain", "glow"], ["screen", "1", "null"], []),
    ("pattern", "call: @", ["true", "false"], ["yes", "1", "null"], []),
    ("pattern", "meaning: @", ["success", "warning", "error"], ["failure", "1", "null", "Error"], []),
    ("pattern", "light: @", ["true", "false"], ["on", "1", "null"], []),
    ("pattern", "transition: @", ["smooth", "snappy", "bouncy", "{ response: 0.2, dampingFraction: 1 }", "{ duration: 200ms, bounce: 0.1 }"],
        ["linear", "0.2", "null", "{}", "{ response: 0.2 }", "{ spring: { response: 0.2, dampingFraction: 1 } }"], []),
    ("pattern", "phases: [{ @ }]",
        ["use: tick", "use: ring, until: released", "use: ring, until: advanced, upTo: 30s", "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }], until: released",
         "compose: [{ use: tick }], sum: glow"],
        ["until: end, use: tick", "use: tick, upTo: 5", "use: tick, tracks: []", "use: 5", "use: tick, intensity: 1", "phases: [{ use: tick }]"],
        ["use: tick, upTo: 1s", "use: tik", "until: released", "use: tick, until: released, upTo: 3601s"]),
    ("pattern", "parameterCurves: @", ["[]"], ["{}", "null", "[{}]", "[{ parameter: intensity }]", "[{ parameter: loudness, points: [{ at: 0ms, value: 1 }] }]"], []),
    ("pattern", "parameterCurves: [{ parameter: @ }]",
        ["intensity, points: [{ at: 0ms, value: 0.5 }]", "sharpness, points: [{ at: 0ms, value: -1 }]", "attackTime, points: [{ at: 0ms, value: -10ms }]",
         "decayTime, points: [{ at: 0ms, value: 0.05 }]"],
        ["intensity, points: []", "intensity, points: [{ at: 0ms, value: -1 }]", "intensity, points: [{ at: 0ms, value: 50% }]", "sharpness, points: [{ at: 0ms, value: 2 }]",
         "releaseTime, points: [{ at: 0ms, value: 2 }]", "releaseTime, points: [{ at: 0ms, value: 2d }]", "intensity, points: [{ value: 1 }]",
         "intensity, points: [{ at: 0ms, value: 1, curve: linear }]"],
        ["attackTime, points: [{ at: 0ms, value: 2s }]", "intensity, points: [{ at: 1ms, value: 1 }, { at: 1ms, value: 1 }]"]),
]

NEEDED = {
    "config": {"version": "1", "actuators": "[{ name: main, backend: simulated }]"},
    "pattern": {"version": "1", "name": "mine", "tracks": "[{ keyframes: [{ at: 0ms, intensity: 1 }, { at: 90ms, intensity: 0 }] }]"},
}
# What a key stands in place of.
REPLACED = {"phases": "tracks"}
# A file of which something is missing, or that is none at all.
WHOLE = [
    ("invalid", "config", ""), ("invalid", "config", "[]"), ("invalid", "config", "{}"), ("invalid", "config", "text"), ("invalid", "config", "version: 1"),
    ("invalid", "config", "actuators: [{ name: main, backend: simulated }]"),
    ("invalid", "pattern", "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]"),
    ("invalid", "pattern", "version: 1\ntracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]"),
]


def whole(kind, line):
    key = line.partition(":")[0]
    left_out = (key, REPLACED.get(key))
    return "".join(f"{name}: {value}\n" for name, value in NEEDED[kind].items() if name not in left_out) + line + "\n"


def all_cases():
    """(verdict, kind, text) of each."""
    yield from WHOLE
    for kind, frame, valid, invalid, beyond in ROWS:
        for verdict, values in (("valid", valid), ("invalid", invalid), ("beyond", beyond)):
            for value in values:
                yield verdict, kind, whole(kind, frame.replace("@", value))
