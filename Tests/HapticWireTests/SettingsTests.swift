// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import HapticWire
import TestSupport
import Testing

@Suite("Settings on the wire") struct SettingsTests {
    private func read(_ set: String) throws(WireError) -> NewSettings {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"settings","params":{"set":\#(set)}}"#
        guard case .single(let message) = ClientLine(Array(line.utf8)),
            let new = try SettingsParams(params: message.params).set
        else { throw WireError(.internalError, "it sets nothing") }
        return new
    }

    private static let midnight = TimeOfDay("00:00")!

    @Test("A member that is given is set, null restores it, and one that is left out stays as it is")
    func members() throws {
        let new = try read(
            #"""
            {"profile":"quiet","strength":1.5,"classes":{"alarm":0,"texture":null},"apps":{"org.mail":0.5,"a":null},
            "quietHours":[{"from":"22:00","to":"07:00"},{"days":["sat","sun"],"from":"00:00","to":"24:00",
            "except":{"classes":["alarm"],"apps":["org.clock"],"repeated":true}}],"off":{"forMs":3600000}}
            """#.split(separator: "\n").joined())
        #expect((new.profile, new.strength) == (.set(.quiet), .set(.most)))
        #expect(new.classes == .set([.alarm: .set(Strength(0)!), .texture: .restore]))
        #expect(new.apps == .set(["org.mail": .set(Strength(0.5)!), "a": .restore]))
        let weekend = QuietHours(
            days: [.sat, .sun], from: Self.midnight, to: TimeOfDay("24:00")!,
            except: .init(classes: [.alarm], apps: ["org.clock"], repeated: true))
        #expect(new.quietHours == .set([QuietHours(from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!), weekend]))
        #expect(new.off == .set(.for(.seconds(3600))))
        let restored = try read(
            #"{"profile":null,"strength":null,"classes":null,"apps":null,"quietHours":null,"off":null}"#)
        #expect((restored.profile, restored.strength) == (.restore, .restore))
        #expect(restored.classes == .restore)
        #expect((restored.apps, restored.quietHours) == (.restore, .restore))
        #expect(restored.off == .restore)
        #expect(try read("{}") == NewSettings())
        #expect(try (read(#"{"off":false}"#).off, read(#"{"off":true}"#).off) == (.restore, .set(.forGood)))
        #expect(try read(#"{"quietHours":[]}"#).quietHours == .set([]))
        #expect(try read(#"{"off":{"forMs":31622400000}}"#).off == .set(.for(Settings.Limit.off)))
    }

    @Test("Each mistake is named by its path, with what would be right")
    func mistakes() {
        let differences = TextCases.differences(in: "mistakes/settings") { set in
            guard let error = #expect(throws: WireError.self, performing: { try read(set) }) else { return [] }
            #expect(error.code == ErrorCode.invalidParams.rawValue)
            #expect(error.message.hasPrefix("`\(error.data?.path ?? "")` "))
            return [error.message]
        }
        #expect(differences == [])
    }

    @Test("Apps, quiet hours and the apps that these except are bounded")
    func limits() throws {
        func apps(_ count: Int) -> String { #"{"apps":{\#((0..<count).map { "\"a\($0)\":1" }.joined(separator: ","))}}"# }
        func hours(_ count: Int, except apps: Int = 0) -> String {
            let names = (0..<apps).map { "\"a\($0)\"" }.joined(separator: ",")
            let one = #"{"from":"22:00","to":"23:00","except":{"apps":[\#(names)]}}"#
            return #"{"quietHours":[\#(Array(repeating: one, count: count).joined(separator: ","))]}"#
        }
        for most in [apps(1024), hours(64), hours(1, except: 64), hours(4, except: 64)] {
            #expect(throws: Never.self) { try read(most) }
        }
        for (tooMany, path) in [
            (apps(1025), "set.apps"), (hours(65), "set.quietHours"), (hours(5, except: 52), "set.quietHours"),
            (hours(1, except: 65), "set.quietHours[0].except.apps"),
        ] {
            let error = #expect(throws: WireError.self) { try read(tooMany) }
            #expect((error?.data?.path, error?.message.contains(", not ")) == (path, true))
        }
    }

    @Test("Settings that a client writes are read as they were meant")
    func roundTrip() throws {
        var new = NewSettings()
        (new.profile, new.strength, new.classes) = (.set(.silent), .restore, .set([.alarm: .set(.most), .texture: .restore]))
        (new.apps, new.off) = (.set(["b": .restore, "a\"": .set(.full)]), .set(.for(.seconds(9))))
        new.quietHours = .set([QuietHours(days: [.mon], from: Self.midnight, to: Self.midnight, except: .init(repeated: true))])
        for new in [new, NewSettings()] {
            let line = WireWriter.request(SettingsParams(set: new), id: .integer(1)).dropLast()
            guard case .single(let message) = ClientLine(Array(line)) else { return #expect(Bool(false)) }
            let params = try SettingsParams(params: message.params)
            #expect(params.set == new)
        }
    }

    @Test("The result is read as it was written, with every member and null where there is none")
    func result() throws {
        let settings = SettingsInForce(
            Settings(
                apps: ["z": .full, "a": .most], quietHours: [QuietHours(from: Self.midnight, to: Self.midnight)],
                off: .until(.zero + .seconds(10))))
        let now = SettingsNow(
            settings, at: .zero + .seconds(4), LocalTime(.mon, second: 0), isKept: true, trouble: "the disk is full")
        let result = SettingsResult(settings, now)
        let line = WireWriter.answer(result, to: .integer(1))
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains(#""apps":{"a":{"value":1.5,"by":"settings"},"z":{"value":1,"by":"settings"}}"#))
        let state = #""deciding":"off","off":{"remainingMs":6000},"quiet":true,"quietUntil":null,"conditions":[],"kept":true,"#
        #expect(text.contains(state))
        #expect(text.hasSuffix(#""trouble":"the disk is full"}}"# + "\n"))
        guard case .answer(_, let answer) = try ServerLine(Array(line.dropLast())) else { return #expect(Bool(false)) }
        #expect(try answer.result(as: SettingsResult.self) == result)
        let nothing = SettingsResult(SettingsInForce(), SettingsNow(SettingsInForce(), at: .zero, nil, isKept: false))
        let short = String(decoding: WireWriter.answer(nothing, to: .integer(1)), as: UTF8.self)
        let plain = #""deciding":"configuration","off":null,"quiet":false,"quietUntil":null,"conditions":[],"#
        #expect(short.hasSuffix(plain + #""kept":false,"trouble":null}}"# + "\n"))
    }

    @Test("The most that a client can set fits into one answer")
    func largest() {
        let name = String(repeating: "\"", count: WireLimit.app - 5)
        let apps = (0..<Settings.Limit.apps).map { (Text("\(name)\(10000 + $0)"), Strength.full) }
        let settings = SettingsInForce(
            Settings(apps: Dictionary(uniqueKeysWithValues: apps)),
            over: Settings(apps: Dictionary(uniqueKeysWithValues: apps.map { (Text("c\($0.string.dropFirst())"), $1) })))
        let result = SettingsResult(settings, SettingsNow(settings, at: .zero, nil, isKept: true))
        // What people have set is said first, whatever else is configured.
        #expect((result.apps.entries.count, result.appsLeftOut) == (Settings.Limit.apps, Settings.Limit.apps))
        #expect(result.apps.entries.allSatisfy { $0.value.by == .settings })
        let line = WireWriter.answer(result, to: .integer(1))
        // A line of a client has no more than these 64 KiB of quiet hours.
        #expect(line.count < WireLimit.daemonLine - 2 * WireLimit.clientLine)
        #expect(line.count > WireLimit.daemonLine / 4)
    }

    @Test("Apps that only the configuration names are listed as far as there is room, and the others are counted")
    func leftOut() throws {
        func apps(_ prefix: String, _ count: Int) -> Settings {
            Settings(apps: Dictionary(uniqueKeysWithValues: (0..<count).map { (Text("\(prefix)\(1000 + $0)"), Strength.full) }))
        }
        for (set, leftOut) in [(0, nil), (24, nil), (25, 1), (1024, 1000)] as [(Int, Int?)] {
            let settings = SettingsInForce(apps("z", set), over: apps("a", 1000))
            let result = SettingsResult(settings, SettingsNow(settings, at: .zero, nil, isKept: true))
            #expect(result.apps.entries.count == 1000 + set - (leftOut ?? 0))
            #expect(result.appsLeftOut == leftOut)
            #expect(result.apps.entries.count { $0.value.by == .settings } == set)
            let line = WireWriter.answer(result, to: .integer(1))
            guard case .answer(_, let answer) = try ServerLine(line.dropLast()) else { return #expect(Bool(false)) }
            #expect(try answer.result(as: SettingsResult.self) == result)
        }
    }

    @Test("A daemon's answer with too many names is refused")
    func tooManyNames() throws {
        let marks = String(repeating: "\u{301}", count: 70)
        for names in [(0..<2049).map { "a\($0)" }, ["e\(marks)"]] {
            let apps = names.map { #""\#($0)":{"value":1,"by":"settings"}"# }.joined(separator: ",")
            let whole = SettingsResult(SettingsInForce(), SettingsNow(SettingsInForce(), at: .zero, nil, isKept: false))
            let line = String(decoding: WireWriter.answer(whole, to: .integer(1)), as: UTF8.self)
                .replacing(#""apps":{}"#, with: #""apps":{\#(apps)}"#)
            guard case .answer(_, let answer) = try ServerLine(Array(line.utf8)) else { return #expect(Bool(false)) }
            #expect { try answer.result(as: SettingsResult.self) } throws: { "\($0)".contains("`result.apps`") }
        }
    }
}
