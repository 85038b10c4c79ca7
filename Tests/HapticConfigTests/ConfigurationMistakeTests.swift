// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticFormats
import HapticJSON
import HapticPatterns
import Testing

@Suite struct ConfigurationMistakeTests {
    /// What is written from line 3 on, and exactly what is said of it.
    @Test(
        "Every mistake is reported at once, in the order of lines",
        arguments: [
            (
                "progress:\n  - match: \"*\"\n    patern: soft\n    step: 0\n    mode: relativ",
                [
                    "5:5: progress[0].patern: unknown key `patern`, did you mean `pattern`?",
                    "6:11: progress[0].step: a step of 0 would fire without end; write more, such as `0.01`",
                    "7:11: progress[0].mode: unknown mode `relativ`, did you mean `relative`?",
                ]
            ),
            (
                "events:\n  - { match: a, pattern: sofft, actuators: [main, pda, main, 5] }\n  - { match: b, class: loud, intensity: 150% }",
                [
                    "4:26: events[0].pattern: unknown pattern `sofft`, did you mean `soft`?",
                    "4:51: events[0].actuators[1]: unknown actuator `pda`, did you mean `pad`?",
                    "4:56: events[0].actuators[2]: `main` is already in the list; take one out",
                    "4:62: events[0].actuators[3]: expected text (put it in quotes), found the number 5",
                    "5:5: events[1]: the key `pattern` is missing",
                    "5:24: events[1].class: unknown class `loud`; there is `alarm`, `notification`, `interaction`, `texture`",
                    "5:41: events[1].intensity: expected a share from 0 to 1, such as `0.4` or `40%`, found the text `150%`",
                ]
            ),
            (
                """
                events:
                  - { match: "a.*", pattern: soft }
                  - { match: "a.b.*", pattern: tick }
                  - { match: a.c, pattern: tick, when: { to: 1 } }
                  - { match: "b*", pattern: tick, when: { to: 1 } }
                  - { match: "b?", pattern: tick, when: { to: 1 } }
                  - { match: "c?", pattern: tick }
                  - { match: "c*", pattern: tick }
                  - { match: "*", pattern: tick }
                  - { match: "*", pattern: tick }
                """,
                [
                    "5:14: events[1].match: this rule is never used: events[0] (`a.*`) takes all that it matches; put it before that one",
                    "6:14: events[2].match: this rule is never used: events[0] (`a.*`) takes all that it matches; put it before that one",
                    "8:14: events[4].match: this rule is never used: events[3] (`b*`) takes all that it matches; put it before that one",
                    "12:14: events[8].match: this rule is never used: events[7] (`*`) takes all that it matches; put it before that one",
                ]
            ),
            (
                """
                events:
                  - { match: "a", pattern: soft, when: { to: "fail*" } }
                  - { match: "a", pattern: tick, when: { from: running, to: failed } }
                  - { match: "a", pattern: tick, when: { to: 1 } }
                  - { match: "a", pattern: tick, when: { from: 0, to: 1 } }
                  - { match: "a", pattern: tick, when: { from: "*", to: "*" } }
                  - { match: "a", pattern: tick }
                """,
                [
                    "5:14: events[1].match: this rule is never used: events[0] (`a`) takes all that it matches; put it before that one",
                    "7:14: events[3].match: this rule is never used: events[2] (`a`) takes all that it matches; put it before that one",
                    "9:14: events[5].match: this rule is never used: events[4] (`a`) takes all that it matches; put it before that one",
                ]
            ),
            (
                "progress:\n  - { match: a, pattern: sofft, stagger: 40, detents: 3 }\nevents:\n  - { match: a, pattern: sofft, when: { to: [] }, from: last }",
                [
                    "4:26: progress[0].pattern: unknown pattern `sofft`, did you mean `soft`?",
                    "4:42: progress[0].stagger: 40 has no unit; write a duration with its unit, such as `20ms` or `1.6s`",
                    "4:55: progress[0].detents: `detents` is about `mode: follow`; give that mode, or leave it out",
                    "6:26: events[0].pattern: unknown pattern `sofft`, did you mean `soft`?",
                    "6:45: events[0].when.to: expected what the value must be: text (`*` for any), a number, `true`, `false` or `null`, found a list",
                    "6:57: events[0].from: this is about `stagger`; give `stagger` too, or leave it out",
                ]
            ),
            (
                "events:\n  - { match: a, pattern: soft, when: {} }\n  - { match: \"\", pattern: soft, when: { too: [], from: .nan } }",
                [
                    "4:38: events[0].when: no condition; give it `from` or `to`, or leave `when` out",
                    "5:41: events[1].when.too: unknown key `too`, did you mean `to`?",
                    "5:56: events[1].when.from: expected what the value must be: text (`*` for any), a number, `true`, `false` or `null`, found the number .nan",
                ]
            ),
            (
                """
                settings:
                  strength: 80
                  clases: { alarm: 1 }
                  apps: [org.mail]
                  quietHours:
                    - { days: [mon, tues, mon], from: 7:00, to: 25:00, except: { app: [a] } }
                    - { days: [], from: 0700 }
                  off: true
                """,
                [
                    "4:13: settings.strength: 80 is out of range; write a strength from 0 to 1.5, such as `0.8` or `80%`; did you mean `80%`?",
                    "5:3: settings.clases: unknown key `clases`, did you mean `classes`?",
                    "6:9: settings.apps: expected an object with keys, found a list",
                    "8:21: settings.quietHours[0].days[1]: unknown day `tues`, did you mean `tue`?",
                    "8:27: settings.quietHours[0].days[2]: it is in the list already; take one out",
                    "8:39: settings.quietHours[0].from: expected a time of the day from 00:00 to 24:00, such as `22:00`, found the text `7:00`",
                    "8:49: settings.quietHours[0].to: expected a time of the day from 00:00 to 24:00, such as `22:00`, found the text `25:00`",
                    "8:66: settings.quietHours[0].except.app: unknown key `app`, did you mean `apps`?",
                    "9:7: settings.quietHours[1]: the key `to` is missing",
                    "9:15: settings.quietHours[1].days: 0 entries; 1 to 7 are allowed",
                    "9:25: settings.quietHours[1].from: expected a time of the day from 00:00 to 24:00, such as `22:00`, found the number 700",
                    "10:3: settings.off: unknown key `off`; there is `strength`, `classes`, `apps`, `quietHours`",
                ]
            ),
            (
                "classes:\n  textur: {}\n  alarm: { priority: 101, limit: 10, reduced: lihgt, deadline: 0ms, quiet: 1 }",
                [
                    "4:3: classes.textur: unknown key `textur`, did you mean `texture`?",
                    "5:22: classes.alarm.priority: 101 is out of range; write a whole number from 0 to 100",
                    "5:34: classes.alarm.limit: expected a rate from 1/s to 100000/s, such as `10/s`, or `none`, found the number 10",
                    "5:47: classes.alarm.reduced: unknown effect or pattern `lihgt`, did you mean `light`?",
                    "5:64: classes.alarm.deadline: `0ms` is out of range; write a duration from 1ms to 1h, or `none`",
                    "5:76: classes.alarm.quiet: expected text (put it in quotes), found the number 1",
                ]
            ),
            (
                "socket: { mode: 0660, path: run/x, grop: g }\nrealtime: { priority: 0, lockMemory: yes }\nprofile: loud",
                [
                    "3:17: socket.mode: expected permissions as octal digits in quotes, such as \"0660\", found the number 660",
                    "3:29: socket.path: `run/x` is not an absolute path; begin it with `/`",
                    "3:36: socket.grop: unknown key `grop`, did you mean `group`?",
                    "4:23: realtime.priority: 0 is out of range; write a whole number from 1 to 99, or `none`",
                    "4:38: realtime.lockMemory: expected `true` or `false`, found the text `yes`",
                    "5:10: profile: unknown profile `loud`; there is `full`, `quiet`, `reduced`, `silent`",
                ]
            ),
            (
                "bounds: { clients: 0, sources: 1.5, sourceTimeout: 60, playbacks: -1 }\nactuatorz: 1",
                [
                    "3:20: bounds.clients: 0 is out of range; write a whole number from 1 to 65536",
                    "3:32: bounds.sources: expected a whole number from 1 to 1048576, found the number 1.5",
                    "3:52: bounds.sourceTimeout: 60 has no unit; write a duration with its unit, such as `20ms` or `1.6s`",
                    "3:67: bounds.playbacks: -1 is out of range; write a whole number from 1 to 65536",
                    "4:1: actuatorz: unknown key `actuatorz`, did you mean `actuators`?",
                ]
            ),
            (
                "bounds: { clientsPerUser: 0, requestsPerClient: 10, requestsPerUser: 0/s, sourcesPerClient: non, playbackPerUser: 1 }",
                [
                    "3:27: bounds.clientsPerUser: 0 is out of range; write a whole number from 1 to 65536, or `none`",
                    "3:49: bounds.requestsPerClient: expected a rate from 1/s to 1000000/s, such as `10/s`, or `none`, found the number 10",
                    "3:70: bounds.requestsPerUser: expected a rate from 1/s to 1000000/s, such as `10/s`, or `none`, found the text `0/s`",
                    "3:93: bounds.sourcesPerClient: expected a whole number from 1 to 1048576, or `none`, found the text `non`",
                    "3:98: bounds.playbackPerUser: unknown key `playbackPerUser`, did you mean `playbacksPerUser`?",
                ]
            ),
            (
                """
                access:
                  reload: { users: [ada, eve, far], groups: [desk, desks] }
                  cancelAll: {}
                  profile: [root]
                  relod: { users: [] }
                  # and
                """,
                [
                    "4:26: access.reload.users[1]: there is no user `eve` here; create it (`sudo useradd eve`), or take it out of the list",
                    "4:31: access.reload.users[2]: the user `far` could not be looked up: Connection refused; try again",
                    "4:52: access.reload.groups[1]: there is no group `desks` here; create it (`sudo groupadd --system desks`), or take it out of the list",
                    "5:14: access.cancelAll: names nobody; give `users` or `groups` (`users: [root]` keeps it to root), or leave the key out",
                    "6:12: access.profile: expected an object such as `{ users: [root] }`, found a list",
                    "7:3: access.relod: unknown key `relod`, did you mean `reload`?",
                ]
            ),
            (
                "access: { reload: { users: [], group: [5] }, profile: { groups: [5] } }",
                [
                    "3:28: access.reload.users: 0 entries; 1 to 64 are allowed",
                    "3:32: access.reload.group: unknown key `group`, did you mean `groups`?",
                    "3:66: access.profile.groups[0]: expected text (put it in quotes), found the number 5",
                ]
            ),
            (
                "patterns: [gone]",
                [
                    "3:12: patterns[0]: cannot read the directory `gone`: No such file or directory; see to that, or take it out of the list"
                ]
            ),
            (
                "progress: {}\nevents:",
                [
                    "3:11: progress: expected a list, found an object",
                    "4:8: events: expected a list, found nothing; give it a value or leave the key out",
                ]
            ),
        ])
    func mistakesOfFile(rest: String, expected: [String]) {
        #expect(mistakes(rest) == expected)
    }

    @Test(
        "A wrong actuator is reported",
        arguments: [
            (
                "{ name: main, backend: simulatd, chip: x }",
                ["24: actuators[0].backend: unknown backend `simulatd`, did you mean `simulated`?"]
            ),
            (
                "{ name: a, backend: simulated }, { name: a, backend: led, led: x, motor: {} }",
                [
                    "42: actuators[1].name: the name `a` is taken by an actuator before; give each its own",
                    "67: actuators[1].motor: unknown key `motor`; there is `name`, `backend`, `led`, `colour`, `minInterval`, `fallback`",
                ]
            ),
            (
                "{ name: a, backend: gpio, line: 2000, pwm: 200, match: {} }",
                [
                    "1: actuators[0]: the key `chip` is missing",
                    "33: actuators[0].line: 2000 is out of range; write a whole number from 0 to 1023",
                    "44: actuators[0].pwm: 200 has no unit; write a frequency from 10Hz to 2000Hz, such as `200Hz`",
                    "49: actuators[0].match: unknown key `match`; there is `name`, `backend`, `chip`, `line`, `activeLow`, `pwm`, `motor`, `fit`, `minInterval`, `fallback`",
                ]
            ),
            (
                "{ name: a, backend: pwm, chip: 0, channel: 64, frequency: 5MHz }",
                [
                    "32: actuators[0].chip: expected text (put it in quotes), found the number 0",
                    "44: actuators[0].channel: 64 is out of range; write a whole number from 0 to 63",
                    "59: actuators[0].frequency: expected a frequency from 10Hz to 1000000Hz, such as `200Hz`, found the text `5MHz`",
                ]
            ),
            (
                "{ name: a, backend: evdev, match: {}, motor: { kind: emr, rise: 11s, duty: 0, maxOn: 40% } }",
                [
                    "35: actuators[0].match: nothing to find the device by; give its `name`, `path`, `phys`, `vendor` or `product`",
                    "54: actuators[0].motor.kind: unknown kind of motor `emr`, did you mean `erm`?",
                    "65: actuators[0].motor.rise: `11s` is out of range; write a duration from 0s to 10s",
                    "76: actuators[0].motor.duty: a duty of 0 would keep the motor off; write more, such as `40%`",
                    "86: actuators[0].motor.maxOn: expected a duration with its unit, such as `20ms` or `1.6s`, found the text `40%`",
                ]
            ),
            (
                "{ name: a, backend: led, led: x, colour: orange }",
                [
                    "42: actuators[0].colour: expected a colour in quotes: red, green and blue as in \"#ff8000\", found the text `orange`"
                ]
            ),
            (
                "{ name: a, backend: led, led: ../../x }, { name: b, backend: led, led: .. }",
                [
                    "31: actuators[0].led: `../../x` is no name of a light; `ls /sys/class/leds` lists them",
                    "72: actuators[1].led: `..` is no name of a light; `ls /sys/class/leds` lists them",
                ]
            ),
            (
                "{ name: a, backend: led, led: x }, { name: b, backend: led, led: x, colour: \"#ffffff\" }",
                ["36: actuators[1]: the device of `b` is that of `a` already; take one of them out"]
            ),
            (
                "{ name: a, backend: simulated, fallback: a }",
                [
                    "42: actuators[0].fallback: `a` cannot stand in for `a`; name one that has no `fallback` itself, such as a light"
                ]
            ),
            (
                "{ name: a, backend: simulated, fallback: b }",
                ["42: actuators[0].fallback: unknown actuator `b`; there is no actuator to name"]
            ),
            ("", ["1: actuators: 0 entries; 1 to 64 are allowed"]),
        ])
    func mistakesOfActuators(entries: String, expected: [String]) {
        // The entries begin in column 1 of line 3; the mistake of an empty list is where it begins.
        let found = mistakes(whole: "version: 1\nactuators: [\n\(entries)]")
        #expect(found == expected.map { entries.isEmpty ? "2:12: " + $0.dropFirst(3) : "3:" + $0 })
    }

    @Test("A file without what every file needs is refused")
    func mistakesOfHead() {
        #expect(mistakes(whole: "profile: full") == ["1:1: the key `version` is missing", "1:1: the key `actuators` is missing"])
        #expect(
            mistakes(whole: "version: 2\n\(twoActuators)") == [
                "1:10: version: expected `version: 1`, the only one there is, found the number 2"
            ])
        for empty in ["", "# nothing", "--- # nothing", "null"] {
            let found = mistakes(whole: empty)
            let words = ": there is nothing in it; write an object with keys, or name another file"
            #expect(found.count == 1, "\(found)")
            #expect(found.allSatisfy { $0.hasSuffix(words) }, "\(found)")
        }
    }

    @Test("Mistakes in pattern files come after those of the file, and make no more of them")
    func mistakesOfPatternFiles() {
        let found = mistakes(
            "patterns: [mine]\nevents: [{ match: a, pattern: broken }, { match: b, pattern: nowhere }]",
            files: ["/etc/mine/broken.yaml": "version: 1\nname: other\ntracks: []", "/etc/mine/.hidden.yaml": "x"])
        #expect(
            found == [
                "4:62: events[1].pattern: unknown pattern `nowhere`; there is \(shown)",
                "/etc/mine/broken.yaml:2:7: name: the name `other` and the file `broken.yaml` differ; give both the same name",
                "/etc/mine/broken.yaml:3:9: tracks: 0 entries; 1 to 16 are allowed",
            ])
    }

    private var shown: String {
        (BuiltInPatterns.all.map(\.name) + ["broken"]).sorted().map { "`\($0)`" }.joined(separator: ", ")
    }

    @Test("A file that cannot be read is refused with what to do")
    func unreadable() {
        #expect(
            throws: InvalidDocument([
                Diagnostic(
                    file: "/x.yaml",
                    message:
                        "cannot read the configuration: No such file or directory; name a configuration file, of 1 MiB at most")
            ])
        ) {
            try Configuration.load(path: "/x.yaml", files: memory([:]))
        }
    }

    /// After `count` rules with long globs one that another before it takes, and one that is equal to it.
    @Test(
        "Among many long globs a rule that is never used is found where it is equal to another, and not at any price",
        arguments: [(10, 2), (400, 1)])
    func amongManyLongGlobs(
        count: Int, found: Int
    ) {
        let long = (0..<count).map { "  - { match: '*\(String(repeating: "a*", count: 60))\(1000 + $0)*', pattern: soft }" }
        let rules = ["q*", "qq*", "q*"].map { "  - { match: '\($0)', pattern: soft }" }
        let said = mistakes("events:\n" + (long + rules).joined(separator: "\n"))
        #expect(said.count == found)
        #expect(said.last?.contains("events[\(count + 2)].match: this rule is never used: events[\(count)] (`q*`)") == true)
    }
}
