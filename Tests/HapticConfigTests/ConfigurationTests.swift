// SPDX-License-Identifier: MIT
import HapticBackends
import HapticConfig
import HapticCore
import HapticEngine
import HapticFormats
import HapticMotors
import HapticPatterns
import HapticPlanning
import HapticYAML
import Testing

@Suite struct ConfigurationTests {
    /// The file that ships, beside this test.
    private static let shipped =
        String(#filePath.prefix(#filePath.count - "Tests/HapticConfigTests/ConfigurationTests.swift".count))
        + "configs/hapticd.yaml"

    @Test("The shipped file is valid and runs on a laptop")
    func shippedFile() throws {
        let configuration = try Configuration.load(path: Self.shipped)
        #expect(configuration.actuators == Configuration.builtIn.actuators)
        #expect(configuration.progressRules == Configuration.builtIn.progressRules)
        #expect(configuration.eventRules.count == 8)
        #expect(configuration.classes == .standard)
    }

    @Test("The examples in its comments are valid, too")
    func shippedComments() throws {
        let bytes = try FileAccess.disk.read(Self.shipped, YAML.Limit.bytes)
        // Examples are comments that are YAML when the `# ` is taken away; the lines that explain are not.
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let keys = [
            "group:", "cpu:", "variesIntensity:", "faults:", "motor:", "- name:", "backend:", "chip:", "line:", "activeLow:",
            "pwm:",
            "match:", "direction:", "hysteresis:", "minInterval:", "intensity:", "actuators:", "classes:", "alarm:",
            "notification:",
            "interaction:", "texture:", "bounds:", "clients", "requestsPer", "sources", "sourceTimeout:", "playbacks", "access:",
            "reload:", "cancelAll:", "profile:", "history:", "settings:", "speakFor:", "conditions:", "- { match: camera",
            "- { match: slider",
        ]
        let open = lines.map { line -> String in
            guard let hash = line.firstIndex(of: "#") else { return String(line) }
            let rest = line[line.index(after: hash)...]
            let text = rest.drop { $0 == " " }
            guard line[..<hash].allSatisfy({ $0 == " " }), keys.contains(where: text.hasPrefix) else { return String(line) }
            return String(line[..<hash] + rest.dropFirst())
        }
        let text = open.joined(separator: "\n")
        let configuration = try Configuration.read(yaml: Array(text.utf8), file: "shown.yaml")
        #expect(configuration.actuators.map(\.name) == ["main", "case", "pad"])
        #expect(configuration.classes == .standard)
        #expect((configuration.bounds, configuration.clientBounds) == (.standard, .standard))
        #expect(Privilege.allCases.allSatisfy { configuration.access[$0] != nil })
        #expect((configuration.socket.group, configuration.realtime.cpu) == ("haptics", 1))
    }

    @Test("Without any configuration there is one simulated actuator and few rules")
    func builtIn() throws {
        let engine = try Configuration.builtIn.engineConfiguration()
        #expect(engine.actuators == [EngineActuator(name: "main")])
        #expect(engine.progressRules.map(\.match.text) == ["*"])
        #expect(engine.progressRules.first?.gate == GateConfiguration(step: 0.01))
        #expect(engine.eventRules.map(\.match.text) == ["*.succeeded", "*.failed", "*.warning", "touch.*", "key.*", "button.*"])
        let named = engine.eventRules.map(\.feedback.pattern) + engine.progressRules.map(\.feedback.pattern)
        #expect((named + ["success", "light", "tick"]).allSatisfy { engine.patterns[Text($0)] != nil })
    }

    @Test("A key that is left out has the value that it has without a configuration")
    func leftOut() throws {
        let least = try configuration("version: 1\nactuators: [{ name: main, backend: simulated }]")
        #expect(least == .builtIn)
    }

    @Test("Every key of a rule is read")
    func rules() throws {
        let read = try configuration(
            """
            version: 1
            \(twoActuators)
            progress:
              - { match: "up*", step: 5%, mode: grid, direction: both, hysteresis: 0.02, minInterval: 30ms, pattern: tick,
                  class: interaction, complete: confirm, completeClass: alarm, intensity: 50%, priority: 7, deadline: 80ms,
                  actuators: [pad] }
            events:
              - { match: a, when: { from: null, to: 1 }, pattern: tick, actuators: [pad, main] }
              - { match: a, when: { to: true }, pattern: tick }
            """)
        let feedback = RuleFeedback(
            pattern: "tick", feedbackClass: .interaction, intensity: Intensity(clamping: 0.5), priority: 7,
            deadline: .milliseconds(80), actuators: [ActuatorIndex(1)])
        let gate = GateConfiguration(
            step: 0.05, mode: .grid, direction: .both, hysteresis: 0.02, minInterval: .milliseconds(30))
        #expect(
            read.progressRules == [
                ProgressRule(match: Glob("up*"), gate: gate, feedback: feedback, complete: "confirm", completeClass: .alarm)
            ])
        #expect(
            read.eventRules.map(\.when) == [
                ChangeCondition(from: .exactly(.null), to: .exactly(.number(1))),
                ChangeCondition(from: .any, to: .exactly(.bool(true))),
            ])
        #expect(read.eventRules.first?.feedback.feedbackClass == .notification)
        #expect(read.eventRules.first?.feedback.actuators == [ActuatorIndex(1), ActuatorIndex(0)])
    }

    @Test("Classes, bounds and the rest are read")
    func classesAndBounds() throws {
        let read = try configuration(
            """
            version: 1
            \(twoActuators)
            socket: { path: /run/x.sock, mode: "666" }
            realtime: { priority: none, lockMemory: false, cpu: 3 }
            profile: reduced
            classes:
              texture: { priority: 9, deadline: none, limit: 5/s, quiet: half, reduced: frequentTick, silent: full }
              alarm: { deadline: 2s, limit: none }
            bounds:
              { clients: 2, clientsPerUser: 1, requestsPerClient: 7/s, requestsPerUser: 1000000/s, sources: 3, sourcesPerUser: 4,
                sourcesPerClient: 8, things: 70, thingsPerUser: 60, playbacks: 5, playbacksPerUser: 9, playbacksPerClient: 10, sourceTimeout: 6s }
            access:
              reload: { users: [root] }
              cancelAll: { users: [ada, root], groups: [desk] }
              speakFor: { users: [ada] }
              classes: { groups: [desk] }
            """)
        #expect(read.socket == .init(path: "/run/x.sock", mode: 0o666))
        #expect(read.realtime == .init(priority: nil, lockMemory: false, cpu: 3))
        #expect(read.profile == .reduced)
        #expect(
            read.classes.texture
                == ClassPolicy(
                    priority: 9, deadline: nil, limitPerSecond: 5, quiet: .half, reduced: .pattern("frequentTick"), silent: .full)
        )
        #expect((read.classes.alarm.deadline, read.classes.alarm.priority) == (.seconds(2), 3))
        #expect(read.classes.notification == ClassTable.standard.notification)
        #expect(
            read.clientBounds
                == ClientBounds(clients: 2, clientsPerUser: 1, requestsPerClient: 7, requestsPerUser: 1_000_000))
        #expect(
            read.bounds
                == EngineBounds(
                    sources: 3, sourcesPerUser: 4, sourcesPerClient: 8, things: 70, thingsPerUser: 60, playbacks: 5,
                    playbacksPerUser: 9, playbacksPerClient: 10, sourceTimeout: .seconds(6)))
        let (root, ada) = (Account(name: "root", id: 0), Account(name: "ada", id: 1001))
        #expect(read.access[.reload] == AccessList(users: [root]))
        #expect(read.access[.cancelAll] == AccessList(users: [ada, root], groups: [Account(name: "desk", id: 51)]))
        #expect(read.access[.speakFor] == AccessList(users: [ada]))
        #expect(read.access[.classes] == AccessList(groups: [Account(name: "desk", id: 51)]))
        #expect(read.access[.profile] == nil)
        #expect(read.access[.settings] == nil)
    }

    @Test("Configured settings are the engine's as long as people set none")
    func settings() throws {
        let read = try configuration(
            """
            version: 1
            \(twoActuators)
            settings:
              strength: 80%
              classes: { alarm: 150%, texture: 0 }
              apps: { org.mail: 0.25, "a b": 1 }
              quietHours:
                - { days: [fri, sat], from: 22:00, to: "07:00", except: { classes: [alarm], apps: [org.clocks], repeated: true } }
                - { from: 13:00, to: 13:30 }
            profile: quiet
            """)
        let night = QuietHours(
            days: [.fri, .sat], from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!,
            except: .init(classes: [.alarm], apps: ["org.clocks"], repeated: true))
        let settings = Settings(
            profile: .quiet, strength: Strength(0.8), classes: [.alarm: .most, .texture: Strength(0)!],
            apps: ["org.mail": Strength(0.25)!, "a b": .full],
            quietHours: [night, QuietHours(from: TimeOfDay("13:00")!, to: TimeOfDay("13:30")!)])
        #expect((read.settings, read.profile) == (settings, .quiet))
        #expect(try read.engineConfiguration().settings == settings)
        let first = try configuration("version: 1\n\(twoActuators)\nprofile: quiet\nsettings: { strength: 0.5 }")
        #expect(first.settings == Settings(profile: .quiet, strength: Strength(0.5)))
        #expect(try configuration("version: 1\n\(twoActuators)\nsettings: {}").settings == Settings())
    }

    @Test("A bound that may be off is switched off by `none`")
    func noBounds() throws {
        let read = try configuration(
            """
            version: 1
            \(twoActuators)
            bounds:
              { clientsPerUser: none, requestsPerClient: none, requestsPerUser: none, sourcesPerClient: none, playbacksPerUser: none,
                playbacksPerClient: none }
            """)
        var bounds = EngineBounds.standard
        bounds.playbacksPerUser = nil
        #expect((read.clientBounds, read.bounds) == (ClientBounds(clients: 1024), bounds))
        #expect(Configuration.builtIn.clientBounds.clientsPerUser == 256, "not off by default: one user would take all there are")
    }

    @Test(
        "A user may have a quarter of the playbacks, rounded up, unless the file contains another number or `none`",
        arguments: [
            ("{ sources: 9 }", 256), ("{ playbacks: 64 }", 16), ("{ playbacks: 5 }", 2), ("{ playbacks: 1 }", 1),
            ("{ playbacksPerUser: 3, playbacks: 64 }", 3), ("{ playbacksPerUser: none, playbacks: 64 }", nil),
        ] as [(String, Int?)])
    func shareOfPlaybacks(bounds: String, share: Int?) throws {
        #expect(try configuration("version: 1\n\(twoActuators)\nbounds: \(bounds)").bounds.playbacksPerUser == share)
    }

    @Test("Names that are not looked up are taken as they are, and admit nobody")
    func namesNotLookedUp() throws {
        let text = "version: 1\n\(twoActuators)\naccess: { profile: { users: [nobody-of-here], groups: [haptics] } }"
        let read = try Configuration.read(yaml: Array(text.utf8), file: "/etc/h.yaml", accounts: .notLookedUp)
        let list = try #require(read.access[.profile])
        #expect(list.users == [Account(name: "nobody-of-here", id: nil)])
        #expect(!list.admits(user: 1001, groups: [0, 50]))
    }

    @Test("The users and groups of this machine are found")
    func accounts() {
        #expect((Accounts.system.user("root"), Accounts.system.group("root")) == (.id(0), .id(0)))
        #expect((Accounts.system.user("no such user"), Accounts.system.group("no such group")) == (.unknown, .unknown))
        #expect(Accounts.name(ofUser: 0) == "root")
        #expect(Accounts.name(ofUser: 4_000_000_000) == nil)
        #expect(Accounts.name(ofGroup: 0) == "root")
        #expect(Accounts.name(ofGroup: 4_000_000_000) == nil)
    }

    @Test("A user's pattern replaces a built-in one and that of an earlier directory")
    func ownPatterns() throws {
        func pattern(_ intensity: String) -> String {
            "version: 1\nname: soft\ntracks: [{ events: [{ at: 0ms, type: transient, intensity: \(intensity) }] }]"
        }
        let read = try configuration(
            "version: 1\n\(twoActuators)\npatterns: [one, /two]",
            files: ["/etc/one/soft.yaml": pattern("0.1"), "/two/soft.yaml": pattern("0.9"), "/two/README": "not a pattern"])
        #expect(read.patterns["soft"]?.level(at: .zero).intensity == Intensity(0.9))
        #expect(read.patterns.count == BuiltInPatterns.all.count)
    }
}
