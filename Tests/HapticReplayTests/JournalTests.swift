// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticReplay
import HapticText
import TestSupport
import Testing

@Suite("The journal of the engine")
struct JournalTests {
    @Test("A journal replays to the same decisions, to the last bit")
    func replay() throws {
        let recorded = try Story.recorded()
        recorded.writer.end(.stopped)
        let replayed = try Replayed(recorded.journal.lines)
        #expect(replayed.results == recorded.results)
        #expect(replayed.actions == recorded.actions)
        #expect(replayed.end == .stopped)
        #expect(recorded.results.count > 110)
        #expect(recorded.actions.count > 150)
    }

    @Test("A client without a scope is written as before there were scopes, and read from such a journal")
    func scopes() throws {
        let plain = ClientIdentity(connection: 1, user: 1000, process: 7)
        let bytes = try JSONLine.bytes(plain)
        let former = #"{"connection":1,"user":1000,"process":7,"mayEndOthers":true,"maySpeakFor":false,"mayAlarm":true}"#
        #expect(String(decoding: bytes, as: UTF8.self) == former)
        let scoped = ClientIdentity(connection: 1, user: 1000, scope: 3)
        for client in [plain, scoped] {
            #expect(try JSONLine.value(ClientIdentity.self, from: JSONLine.bytes(client)) == client)
        }
        let decision = Decision(sequence: 1, at: .zero, input: .event, user: 1000, outcome: .suppressed)
        #expect(!String(decoding: try JSONLine.bytes(decision), as: UTF8.self).contains("scope"))
        #expect(try Story.recorded().journal.texts.contains { $0.contains(#""scope":4294967295"#) })
    }

    @Test("An event that comes out differently is named with its line")
    func difference() throws {
        let recorded = try Story.recorded()
        var lines = recorded.journal.texts
        let index = try #require(lines.firstIndex { $0.contains(#""pattern":"glide""#) && $0.contains("repetitions") })
        lines[index] = lines[index].replacing(#""pattern":"glide""#, with: #""pattern":"tap""#)
        let changed = lines.map { Array($0.utf8) }
        let error = #expect(throws: ReplayError.self) { _ = try Replayed(changed) }
        #expect(error?.line == index + 1)
        #expect(error?.message.contains("came out differently") == true, "\(String(describing: error))")
    }

    @Test("The same settings are the same bytes, in whatever order they were set")
    func settingsBytes() throws {
        let apps = (0..<200).map { Text("org.app.\($0)") }
        func settings(_ apps: [Text]) throws -> Settings {
            var settings = Settings()
            for app in apps {
                settings.apps[app] = .full
                var hours = QuietHours(from: try #require(TimeOfDay(minutes: 0)), to: try #require(TimeOfDay(minutes: 60)))
                hours.except.apps = Set(apps)
                settings.quietHours = [hours]
            }
            for name in FeedbackClass.allCases { settings.classes[name] = .most }
            return settings
        }
        let bytes = try JSONLine.bytes(settings(apps))
        for _ in 0..<5 { #expect(try JSONLine.bytes(settings(apps.shuffled())) == bytes) }
        #expect(try JSONLine.value(Settings.self, from: bytes) == settings(apps))
    }

    @Test("A full journal ends with that note, within its limit, and replays to its end")
    func full() throws {
        let whole = try Story.recorded().journal.bytes.count
        let recorded = try Story.recorded(limit: whole / 2)
        #expect(recorded.journal.bytes.count <= whole / 2)
        #expect(recorded.journal.texts.last == #"{"end":"full"}"#)
        #expect(try Replayed(recorded.journal.lines).end == .full)
    }

    @Test("A journal that is written too slowly ends with that note")
    func behind() throws {
        let recorded = Recorded(try .recorded())
        recorded.take(.time)
        recorded.journal.isBehind = true
        recorded.take(.time)
        recorded.journal.isBehind = false
        recorded.take(.time)
        recorded.writer.end(.stopped)
        #expect(recorded.journal.lines.count == 3)
        #expect(try Replayed(recorded.journal.lines).end == .behind)
    }

    @Test("The journal of a killed daemon replays as far as its lines are whole")
    func torn() throws {
        let lines = try Story.recorded().journal.lines
        let torn = lines.dropLast() + [Array(lines[lines.count - 1].dropLast(7))]
        #expect(throws: ReplayError.self) { _ = try Replayed(Array(torn)) }
        #expect(try Replayed(Array(lines.dropLast())).end == nil)
    }

    @Test(
        "A line that no daemon has written is an error with its number",
        arguments: [
            (#"{"at":6000000000,"event":{"time":{}}}"#, "`result` is missing"),
            (#"{"at":1,"event":{"time":{}},"result":"0"}"#, "it happens before the event before, or never"),
            (#"{"at":9000000000000000000,"event":{"time":{}},"result":"0"}"#, "it happens before the event before, or never"),
            (#"{"at":6000000000,"event":{"actuator":{"_0":2,"isAvailable":true}},"result":"0"}"#, "there is no such actuator"),
            (
                #"{"at":6000000000,"event":{"actuator":{"_0":0,"isAvailable":true,"found":{"shapesItself":false,"model":{"kind":"erm","rise":0,"fall":1,"start":0,"hold":0,"minPulse":0,"brake":false}}}},"result":"0"}"#,
                "no motor moves like that"
            ),
            (#"{"at":6000000000,"event":{"commands":{"_0":[],"work":9000000}},"result":"0"}"#, "no line may cost so much"),
            (#"{"at":6000000000,"event":{"slept":{"_0":-1}},"result":"0"}"#, "no machine sleeps so long"),
            (
                #"{"at":6000000000,"event":{"localTime":{"_0":{"weekday":"mon","second":86400,"nanosecond":0}}},"result":"0"}"#,
                "no clock shows that"
            ),
            (
                #"{"at":6000000000,"event":{"localTime":{"_0":{"weekday":"mon","second":0,"nanosecond":1000000000}}},"result":"0"}"#,
                "no clock shows that"
            ),
            (
                #"{"at":6000000000,"event":{"localTime":{"_0":{"weekday":"mon","second":-9000000000000000000,"nanosecond":0}}},"result":"0"}"#,
                "no clock shows that"
            ),
            (
                #"{"at":6000000000,"event":{"settings":{"_0":{"classes":[],"apps":[],"off":{"until":{"_0":-1}}}}},"result":"0"}"#,
                "feedback is off until an instant that there is not"
            ),
            (
                #"{"at":6000000000,"event":{"commands":{"_0":[{"change":{"_0":{"off":{"set":{"_0":{"until":{"_0":9000000000000000000}}}}}}}],"work":9}},"result":"0"}"#,
                "feedback is off until an instant that there is not"
            ),
            (#"{"at":6000000000,"event":{"settings":{"_0":{"classes":[],"apps":["a",1.6]}}},"result":"0"}"#, ""),
            (#"{"journal":2}"#, "it has format 2, and this program reads format 1; use the program that recorded it"),
            (#"{"end":"tired"}"#, ""),
            ("{", ""),
        ])
    func mistakes(line: String, message: String) throws {
        let begin = Recorded(try .recorded()).journal.lines[0]
        let error = #expect(throws: ReplayError.self) { _ = try Replayed([begin, Array(line.utf8)]) }
        #expect(error?.line == 2, "\(String(describing: error))")
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        #expect(throws: ReplayError.self) { _ = try Replay(Array(line.utf8)) }
    }

    @Test("A damaged line is an error or another event, and ends no program")
    func damage() throws {
        let lines = try Story.recorded().journal.lines
        var generator = SplitMix64(seed: 13)
        var refused = 0
        for _ in 0..<150 {
            var damaged = lines
            let line = Int.random(in: 1..<lines.count, using: &generator)
            let index = Int.random(in: damaged[line].indices, using: &generator)
            damaged[line][index] = UInt8(ascii: "0123456789-.,{}[]\"en".unicodeScalars.randomElement(using: &generator) ?? "0")
            do {
                _ = try Replayed(Array(damaged[...line]))
            } catch {
                refused += 1
            }
        }
        #expect(refused > 50)
    }
}
