// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import HapticWire
import Testing

@testable import HapticEngine
@testable import HapticPlanning
@testable import HapticService

@Suite("Privacy of the history") struct HistoryPrivacyTests {
    @Test("The rule of a progress source is hidden with its id")
    func rule() throws {
        let bench = try Bench()
        _ = bench.ask(.progress(ProgressParams(id: "copy", value: Progress(0.5)!)), of: try bench.connect(user: 1001))
        #expect(try bench.history(of: try bench.connect(user: 1002)).entries[0].decision.rule == nil)
        #expect(try bench.history(of: try bench.connect(user: 0)).entries[0].decision.rule == "*")
    }

    @Test(
        "Ids and values are shown to their user, to users in `access: history`, to root and to the daemon's user",
        arguments: [(1001, true), (1002, false), (1003, true), (0, true), (900, true)] as [(UInt32, Bool)])
    func privacy(user: UInt32, sees: Bool) throws {
        let bench = try Bench { $0.access[.history] = AccessList(users: [Account(name: "ada", id: 1003)]) }
        let owner = try bench.service.connect(Peer(user: 1001, groups: [], process: 77), at: bench.now)
        _ = bench.ask(.event(EventParams(name: "door.opened", id: "front", value: .number(3))), of: owner)
        let reader = try bench.connect(user: user)
        let decision = try bench.history(of: reader).entries[0].decision
        #expect((decision.source, decision.value) == (sees ? "front" : nil, sees ? .number(3) : nil))
        #expect((decision.name, decision.user, decision.process) == ("door.opened", 1001, 77))
        #expect(bench.service.seesOthers(reader) == (sees && user != 1001))
    }

    @Test("A name with more marks than a client reads does not keep it from the history")
    func marks() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let name = "a" + String(repeating: "\u{301}", count: String.mostMarks + 6)
        _ = bench.say([try .unusable("event", #"{"name":"x","\#(name)":1}"#, wantsReply: false)], of: client)
        let line = WireWriter.answer(try bench.history(of: client), to: .integer(1))
        guard case .answer(_, let answer) = try ServerLine(line.dropLast()) else { return #expect(Bool(false)) }
        let mistake = try answer.result(as: HistoryResult.self).entries.first?.decision.mistake
        #expect(mistake?.contains("marks on one letter") == true)
    }

    @Test(
        "A notification that is not valid is kept with its mistake, for those who see its values, and of 256 bytes at most",
        arguments: [(1001, true), (1002, false), (0, true)] as [(UInt32, Bool)])
    func mistake(user: UInt32, sees: Bool) throws {
        let bench = try Bench()
        let owner = try bench.connect(user: 1001)
        let reader = try bench.connect(user: user)
        let name = String(repeating: #"\u001bx"#, count: 120)
        let long = try Request.unusable("event", #"{"\#(name)":1}"#, wantsReply: false)
        for line in [#"{"jsonrpc":"2.0","method":"event","params":{"name":"a","vlaue":1}}"#] {
            guard case .single(let message) = ClientLine(Array(line.utf8)) else { return }
            _ = bench.say([Request(message), long], of: owner)
        }
        let entries = try bench.history(of: reader).entries.map(\.decision)
        #expect(entries.map(\.reason) == [.invalidParams, .invalidParams])
        let sentence = "`vlaue` is not a member of these params; did you mean `value`?"
        #expect(entries[1].mistake == (sees ? sentence : nil))
        #expect((entries[0].mistake != nil) == sees)
        #expect(entries[0].mistake.map { $0.utf8.count <= 256 && !$0.utf8.contains(0x1b) } ?? true)
    }

    @Test("The intensity of a followed value, which tells the value, is hidden with it")
    func followed() throws {
        let bench = try Bench()
        let owner = try bench.connect(user: 1001)
        _ = bench.ask(.progress(.followed(0.7316)), of: owner)
        #expect(try bench.history(of: owner).entries[0].decision.intensity == 0.7316)
        let others = try bench.history(of: try bench.connect(user: 1002)).entries[0].decision
        #expect((others.outcome, others.value, others.intensity) == (.played, nil, nil))
    }

    @Test("To other users the actuations of a followed value tell it only roughly, also those after its end")
    func followedActuations() throws {
        let bench = try Bench()
        let owner = try bench.connect(user: 1001)
        bench.subscribe(owner, to: .actuations)
        _ = bench.ask(.progress(.followed(0.7316)), of: owner)
        let begun = try #require(bench.sink.actuations.first)
        bench.pass(.seconds(1))
        _ = bench.outputs()
        let applied = bench.sink.actuations.map { AppliedActuation($0, at: $0.planned) }
        bench.service.applied(applied)
        let notices = bench.notices()
        #expect(begun.playback == applied.last?.actuation.playback)
        #expect(notices.count == applied.count && !notices.isEmpty)
        for (notice, applied) in zip(notices, applied) {
            guard case .actuation(let own) = notice, case .actuation(let others)? = notice.masked else {
                Issue.record("not masked")
                continue
            }
            #expect(own.intensity == applied.actuation.level.intensity.value)
            #expect((others.intensity * 10).rounded() / 10 == others.intensity)
            #expect(others.intensity >= own.intensity && others.intensity < own.intensity + 0.1)
            #expect((others.drive * 10).rounded() / 10 == others.drive)
        }
    }

    @Test("To other users an actuation at a detent tells the followed value only roughly, its sharpness included")
    func followedDetent() throws {
        let level = Level(intensity: Intensity(clamping: 0.5551), sharpness: Sharpness(clamping: 0.6343))
        let actuation = Actuation(planned: .zero, actuator: .init(0), playback: .init(1), level: level)
        let notice = ActuationNotice(actuation, at: .zero, actuator: "main", felt: 0.4432, followedOwner: Owner(user: 1001))
        let others = try #require(Notice.actuation(notice).masked?.actuation)
        #expect([others.intensity, others.sharpness, others.drive, others.felt] == [0.6, 0.7, 0.6, 0.5])
    }

    @Test("The actuations of a playback that glides from a followed value tell it only roughly, until a second after its end")
    func glidingSuccessor() throws {
        let bench = try Bench()
        let owner = try bench.connect(user: 1001)
        bench.subscribe(owner, to: .actuations)
        _ = bench.ask(.progress(.followed(0.7316)), of: owner)
        bench.pass(.milliseconds(100))
        let fall =
            #"{"tracks":[{"keyframes":[{"atMs":0,"intensity":0.2},{"atMs":1900,"intensity":0.1},{"atMs":2000,"intensity":0}]}]}"#
        let play = PlayParams(pattern: .inline(try JSONReader.node(Array(fall.utf8))))
        let playback = try #require(bench.ask(.play(play), of: try bench.connect(user: 1002))?.decision?.playback)
        bench.pass(.seconds(3))
        _ = bench.outputs()
        bench.service.applied(bench.sink.actuations.map { AppliedActuation($0, at: $0.planned) })
        let notices = bench.notices().filter { $0.actuation?.playback == playback }
        let first = try #require(notices.first?.actuation)
        #expect(first.intensity > 0.3, "it glides from the value")
        for notice in notices {
            let own = try #require(notice.actuation)
            let isRough = Nanoseconds(own.plannedNs - first.plannedNs) < FollowedPlaybacks.longestGlide
            #expect(own.followedOwner == (isRough ? Owner(user: 1001) : nil))
            let rough = (own.intensity * 10).rounded(.awayFromZero) / 10
            #expect(notice.masked?.actuation?.intensity == (isRough ? rough : nil))
        }
        #expect(notices.contains { $0.masked == nil })
    }

    @Test("The actuations of all other playbacks are the same for everyone")
    func playedActuations() throws {
        let bench = try Bench()
        let owner = try bench.connect(user: 1001)
        bench.subscribe(owner, to: .actuations)
        _ = bench.ask(.play("soft"), of: owner)
        bench.service.applied(bench.sink.actuations.map { AppliedActuation($0, at: $0.planned) })
        let notices = bench.notices()
        #expect(notices.count == 2)
        #expect(notices.allSatisfy { $0.masked == nil })
    }
}

@Suite("Owners of followed values") struct FollowedPlaybacksTests {
    /// Playbacks by their numbers, and times in milliseconds.
    private struct Scene {
        private var followed = FollowedPlaybacks()

        private func instant(_ milliseconds: Int64) -> MonotonicInstant {
            MonotonicInstant.zero + .milliseconds(milliseconds)
        }

        mutating func begin(_ playback: UInt64, of user: UInt32, scope: UInt32? = nil) {
            var decision = Decision(
                sequence: playback, at: .zero, input: .progress, user: user, scope: scope, outcome: .played,
                playback: PlaybackID(playback))
            decision.isFollowed = true
            followed.add(decision)
        }

        mutating func end(_ playback: UInt64, at milliseconds: Int64) {
            followed.ended(
                PlaybackEnd(playback: PlaybackID(playback), ending: .preempted, reason: nil, at: instant(milliseconds)))
        }

        /// The user whose value an actuation of `playback` reveals.
        mutating func user(_ playback: UInt64, at milliseconds: Int64, isOn: Bool = true, on actuator: Int = 0) -> UInt32? {
            owner(playback, at: milliseconds, isOn: isOn, on: actuator)?.user
        }

        /// The owner of that value.
        mutating func owner(_ playback: UInt64, at milliseconds: Int64, isOn: Bool = true, on actuator: Int = 0) -> Owner? {
            followed.owner(
                of: Actuation(
                    planned: instant(milliseconds), actuator: ActuatorIndex(actuator), playback: PlaybackID(playback),
                    level: isOn ? Level(intensity: .one, sharpness: .zero) : .off))
        }
    }

    @Test("A value is revealed as long as the longest glide of the engine")
    func longestGlide() { #expect(FollowedPlaybacks.longestGlide == Transition.longest) }

    @Test("An off in a glide ends nothing, and a third playback that may glide from the second one reveals the value, too")
    func glides() {
        var scene = Scene()
        scene.begin(1, of: 1001)
        let whileFollowed = [scene.user(1, at: 0), scene.user(2, at: 5)]
        #expect(whileFollowed == [1001, 1001])
        scene.end(1, at: 10)
        let second = [
            scene.user(1, at: 9), scene.user(2, at: 10), scene.user(2, at: 500, isOn: false), scene.user(2, at: 600),
        ]
        #expect(second == [1001, 1001, 1001, 1001])
        let elsewhere = scene.user(2, at: 600, on: 1)
        #expect(elsewhere == nil)
        let third = [scene.user(3, at: 900), scene.user(3, at: 1899), scene.user(3, at: 1900), scene.user(4, at: 1901)]
        #expect(third == [1001, 1001, nil, nil])
    }

    @Test("Nobody may read the levels that reveal the values of two users")
    func twoUsers() {
        var scene = Scene()
        scene.begin(1, of: 1001)
        scene.begin(2, of: 1002)
        let first = scene.user(1, at: 0)
        #expect(first == 1001)
        scene.end(1, at: 10)
        let second = [scene.user(2, at: 10), scene.user(2, at: 1009), scene.user(2, at: 1010)]
        #expect(second == [ActuationNotice.severalOwners.user, ActuationNotice.severalOwners.user, 1002])
        scene.end(2, at: 1100)
        let third = scene.user(3, at: 1100)
        #expect(third == 1002)
    }

    @Test("The values of two scopes of one user are those of two owners")
    func twoScopes() {
        var scene = Scene()
        scene.begin(1, of: 1001, scope: 1)
        scene.begin(2, of: 1001, scope: 2)
        let first = scene.owner(1, at: 0)
        scene.end(1, at: 10)
        let second = scene.owner(2, at: 10)
        #expect([first, second] == [Owner(user: 1001, scope: 1), ActuationNotice.severalOwners])
    }
}

extension ProgressParams {
    fileprivate static func followed(_ value: Double) -> ProgressParams {
        var params = ProgressParams(id: "lever", value: Progress(value)!)
        params.mode = .follow
        return params
    }
}
