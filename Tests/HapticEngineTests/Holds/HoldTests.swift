// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Holds")
struct HoldTests {
    @Test("Each step is felt and decided, the completion with its own pattern, and then the event goes through the rules")
    func charge() {
        var bench = Bench(.hands())
        #expect(bench.hold("pay", .down).reason == .pressed)
        bench.run(until: .ms(1600))
        // 0.5 s, and 0.1 s to the first step.
        #expect(bench.pulses().first?.start == .ms(600))
        #expect(bench.pulses().count == 38, "as many as of the reference by 1.1 s")
        bench.run(until: .ms(5000))
        let steps = bench.decisions.filter { $0.input == .hold && $0.pattern == "soft" }
        #expect(steps.count == 76 && steps.allSatisfy { $0.outcome == .played && $0.source == "pay" && $0.rule == "*" })
        let completion = bench.decisions.first { $0.pattern == "success" }
        #expect(completion?.value == .number(1) && completion?.at == .ms(2100) && completion?.feedbackClass == .notification)
        let event = bench.decisions.last!
        #expect(event.input == .event && event.name == "pay.confirmed" && event.source == "pay" && event.at == .ms(2100))
        #expect(bench.holds.map(\.state).filter { $0 != .progress } == [.began, .confirmed])
        #expect(bench.holds.filter { $0.state == .progress }.map(\.value.value) == steps.map { $0.value!.number })
        #expect(bench.hold("pay", .up).reason == .released)
        bench.run(for: .seconds(60))
        #expect(bench.engine.holds.isEmpty && bench.holds.count == 78)
    }

    @Test("Let go early nothing is felt any more, and `.released` comes when it has fallen back to 0")
    func letGo() {
        var bench = Bench(
            .hands(eventRules: [
                EventRule(match: Glob("pay.released"), feedback: RuleFeedback(pattern: "light", feedbackClass: .notification))
            ]))
        bench.hold("pay", .down)
        bench.run(until: .ms(1600))
        let pulses = bench.pulses().count
        bench.hold("pay", .up)
        // 110 ticks: 0.000035 · 12100 + 0.000665 · 110 = 0.49665; a full fall takes 300 ms.
        bench.run(until: .ms(1600 + 148))
        #expect(bench.pulses().count == pulses && bench.holds.last?.state == .progress)
        bench.run(until: .ms(1600 + 150))
        #expect(bench.holds.last?.state == .released && bench.decisions.last?.name == "pay.released")
        #expect(bench.pulses().count == pulses + 1)
    }

    @Test("What cannot be is decided: twice down, up without down, another connection's, another user's own")
    func odd() {
        var bench = Bench(.hands())
        #expect(bench.hold("pay", .up).reason == .unchanged)
        bench.hold("pay", .down)
        #expect(bench.hold("pay", .down).reason == .duplicate)
        #expect(bench.hold("pay", .down, client: .adasOther).reason == .duplicate)
        #expect(bench.hold("pay", .up, client: .adasOther).reason == .notAllowed)
        // Bob's is another one.
        #expect(bench.hold("pay", .up, client: .bob).reason == .unchanged)
        #expect(bench.hold("pay", .down, client: .bob).reason == .pressed)
        #expect(bench.hold("pay", .up).reason == .released)
    }

    @Test("A closed connection lets go, and so does a sleep")
    func gone() {
        for ends in [EngineEvent.connectionClosed(1), .slept(.seconds(1))] {
            var bench = Bench(.hands())
            bench.hold("pay", .down)
            bench.run(until: .ms(1000))
            bench.take(ends)
            bench.run(until: .ms(20_000))
            #expect(!bench.holds.contains { $0.state == .confirmed })
            #expect(bench.engine.holds.isEmpty)
            #expect(bench.actuations.last?.isOn == false)
        }
    }

    @Test("A device's hold is its own: nobody else presses it, lets go of it, or sends its events")
    func reserved() {
        var bench = Bench(.hands())
        for state in HoldState.allCases { #expect(bench.hold("unlock", state).reason == .reserved) }
        for name in ["unlock.confirmed", "unlock.released"] { #expect(bench.event(name).reason == .reserved) }
        #expect(bench.event("unlock.other").reason == .noRule)
        #expect(bench.hold("unlock", .down, client: .hand).reason == .pressed)
        #expect(bench.hold("other", .down, client: .hand).reason == .noRule)
        bench.run(until: .ms(3000))
        let own = bench.decisions.filter { $0.origin == .device }
        #expect(own.count == 2 + 77 + 1 && own.last?.name == "unlock.confirmed" && own.last?.outcome == .played)
        #expect(bench.holds.allSatisfy { $0.origin == .device })
    }

    @Test("With `feedback: off` it is confirmed, and nothing is felt")
    func off() {
        var bench = Bench(.hands())
        bench.hold("pay", .down, feedback: .off)
        bench.run(until: .ms(3000))
        #expect(bench.pulses().isEmpty && bench.holds.last?.state == .confirmed)
    }

    private static let suspend = EngineEvent.batch([
        .cancel(CancelRequest(client: Bench.ada, target: .all, mode: .immediate, untilResumed: true))
    ])

    @Test("It ends with its rule, with a suspend and with the daemon, and who shows it learns that")
    func endsWithoutHand() {
        let withoutRule = EngineEvent.configuration(.hands(holdRules: []), replacesDevices: false)
        for event in [withoutRule, Self.suspend, .slept(.seconds(60)), .shutdown] {
            var bench = Bench(.hands())
            bench.hold("pay", .down)
            bench.hold("tap", .down, client: .bob)
            bench.run(until: .ms(1000))
            bench.hold("tap", .up, client: .bob)
            bench.take(event)
            let count = bench.pulses().count
            bench.run(until: .ms(5000))
            #expect(bench.holds.suffix(2).map(\.state) == [.released, .released] && bench.pulses().count == count)
            #expect(bench.engine.holds.isEmpty && bench.decisions.allSatisfy { $0.name == nil })
        }
    }

    @Test("From when the machine prepares to sleep until it has slept nothing can be pressed, on a device neither")
    func suspended() {
        var bench = Bench(.hands())
        bench.take(Self.suspend)
        for (id, client) in [("pay", Bench.ada), ("unlock", .hand)] {
            #expect(bench.hold(id, .down, client: client).reason == .suspended)
            #expect(bench.hold(id, .up, client: client).reason == .unchanged)
        }
        bench.take(.slept(.seconds(60)))
        #expect(bench.hold("pay", .down).reason == .pressed)
        bench.run(for: .seconds(3))
        #expect(bench.holds.last?.state == .confirmed)
    }

    @Test("A cancel ends what is felt of a hold, and not the hold", arguments: [.source(id: "pay"), .all] as [CancelTarget])
    func cancelled(target: CancelTarget) {
        var bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.run(until: .ms(2000))
        bench.take(.batch([.cancel(target)]))
        bench.run(until: .ms(3000))
        #expect(bench.holds.last?.state == .confirmed)
    }

    @Test("What a closed connection held is decided as let go; what it does not hold is not")
    func decidedAsLetGo() {
        var bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.hold("other", .down, client: .adasOther)
        bench.hold("tap", .down)
        bench.hold("tap", .up)
        bench.run(until: .ms(1000))
        let before = bench.decisions.count
        bench.take(.connectionClosed(Bench.ada.connection))
        let decisions = bench.decisions[before...]
        #expect(decisions.map(\.source) == ["pay"] && decisions.map(\.reason) == [.released])
        #expect(decisions.first?.value == .string("up") && decisions.first?.user == Bench.ada.user)
    }

    @Test("As many as there may be end at once")
    func allEnd() {
        var bench = Bench(.hands())
        for user in 0..<8 {
            let client = ClientIdentity(connection: UInt64(user) + 1, user: UInt32(user))
            for index in 0..<HoldTable.mostPerUser { bench.hold("h\(index)", .down, client: client) }
        }
        #expect(bench.hold("more", .down, client: ClientIdentity(connection: 20, user: 20)).reason == .quota)
        // A device's has room beside all clients.
        #expect(bench.hold("unlock", .down, client: .hand).reason == .pressed)
        bench.run(until: .ms(1000))
        bench.take(.slept(.seconds(60)))
        #expect(bench.holds.count { $0.state == .released } == HoldTable.mostOfClients + 1)
    }

    @Test("Nobody holds more than there is room for, and a tap leaves its place")
    func bounded() {
        var bench = Bench(.hands())
        for index in 0..<HoldTable.mostPerUser { #expect(bench.hold("h\(index)", .down).reason == .pressed) }
        #expect(bench.hold("more", .down).reason == .quota)
        #expect(bench.hold("more", .down, client: .bob).reason == .pressed)
        bench.hold("h0", .up)
        #expect(bench.hold("more", .down).reason == .pressed)
    }

    @Test("A hold that never ends is confirmed once, and then nothing is felt of it and nothing is due")
    func endless() {
        var bench = Bench(.hands(eventRules: []))
        bench.hold("pay", .down)
        bench.run(until: .ms(3000))
        let (count, pulses) = (bench.decisions.count, bench.pulses().count)
        bench.run(until: .ms(3_600_000))
        #expect(bench.holds.count { $0.state == .confirmed } == 1)
        #expect(bench.decisions.count == count && bench.pulses().count == pulses && bench.actuations.last?.isOn == false)
        #expect(bench.hold("pay", .up).reason == .released && bench.engine.holds.isEmpty)
    }

    @Test("Ten thousand presses a second are ten thousand decisions, and nothing is felt")
    func hammered() {
        var bench = Bench(.hands())
        for _ in 0..<5000 {
            bench.hold("pay", .down)
            bench.run(for: .microseconds(100))
            bench.hold("pay", .up)
            bench.run(for: .microseconds(100))
        }
        #expect(bench.decisions.count == 10_000 && bench.pulses().isEmpty && bench.engine.holds.isEmpty)
    }

    @Test("A reload that reserves the name of a client's hold ends it, for nobody could let go of it")
    func reservedByReload() {
        var bench = Bench(.hands())
        for id in ["door", "pay"] { bench.hold(id, .down) }
        bench.run(until: .ms(1000))
        let door = HoldRule(match: .device("door"), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture))
        bench.take(.configuration(.hands(holdRules: [.clients, .unlock, door]), replacesDevices: false))
        #expect(bench.holds.last?.id == "door" && bench.holds.last?.state == .released)
        bench.run(until: .ms(5000))
        #expect(bench.holds.filter { $0.state == .confirmed }.map(\.id) == ["pay"])
        #expect(bench.hold("door", .up).reason == .reserved)
        #expect(bench.hold("door", .down, client: .hand).reason == .pressed)
    }

    @Test("A reload with other times is followed at once, and one with the same changes nothing")
    func reshaped() {
        for (press, confirmed) in [(5000, 6600), (500, 2100)] as [(Int64, Int64)] {
            var bench = Bench(.hands())
            bench.hold("pay", .down)
            bench.run(until: .ms(300))
            var clients = HoldRule.clients
            clients.shape.press = .milliseconds(press)
            bench.take(.configuration(.hands(holdRules: [clients]), replacesDevices: false))
            bench.run(until: .ms(10_000))
            #expect(bench.holds.filter { $0.state == .confirmed }.map(\.at) == [.ms(confirmed)])
        }
    }

    @Test("A tap that is heard of after a stall, as a whole, is a tap")
    func lateTap() {
        var bench = Bench(.hands())
        for (down, up) in [(9000, 9200), (9700, 9900)] as [(Int64, Int64)] {
            bench.now = .ms(up + 700)
            bench.send([
                .input(Input(client: .hand, id: "unlock", at: .ms(down), kind: .hold(.down))),
                .input(Input(client: .hand, id: "unlock", at: .ms(up), kind: .hold(.up))),
            ])
        }
        bench.run(until: .ms(13_000))
        #expect(bench.holds.isEmpty && bench.pulses().isEmpty && bench.engine.holds.isEmpty)
        #expect(bench.decisions.map(\.reason) == [.pressed, .released, .pressed, .released])
    }

    @Test("After a stall one step is stale, and others come in time; a confirmation is felt however late it is seen")
    func stalled() {
        var bench = Bench(.hands(eventRules: []))
        bench.hold("pay", .down)
        bench.now = .ms(1000)
        bench.take(.time)
        #expect(bench.decisions.last?.reason == .stale && bench.holds.last?.state == .progress && bench.pulses().isEmpty)
        bench.run(until: .ms(1500))
        #expect(bench.decisions.count { $0.reason == .stale } == 1 && !bench.pulses().isEmpty)
        bench.now = .ms(60_000)
        bench.take(.time)
        #expect(bench.holds.last?.state == .confirmed)
        let completion = bench.decisions.last { $0.input == .hold }
        #expect(completion?.outcome == .played && completion?.pattern == "success" && completion?.deadline == nil)

        bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.run(until: .ms(600))
        bench.now = .ms(60_000)
        bench.take(.time)
        #expect(bench.decisions.last?.name == "pay.confirmed" && bench.decisions.last?.outcome == .played)
    }

    @Test("A press that was said late counts from then, but the charge does not begin before now")
    func late() {
        var bench = Bench(.hands())
        bench.now = .ms(10_000)
        bench.send([.input(Input(client: Bench.ada, id: "pay", at: .ms(9700), kind: .hold(.down)))])
        bench.send([.input(Input(client: Bench.ada, id: "old", at: .ms(0), kind: .hold(.down)))])
        bench.run(until: .ms(13_000))
        let confirmed = bench.holds.filter { $0.state == .confirmed }
        #expect(confirmed.map(\.id) == ["old", "pay"])
        #expect(confirmed.map(\.at) == [.ms(11_600), .ms(11_800)])
    }
}

extension Scalar {
    fileprivate var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}
