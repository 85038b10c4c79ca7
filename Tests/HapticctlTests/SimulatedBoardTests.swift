// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticCore
import HapticWire
import TestSupport
import Testing

@testable import HapticTerminal
@testable import hapticctl

@Suite("The simulated board")
struct SimulatedBoardTests {
    private static let steps = {
        var params = PlayParams(pattern: .named("soft"))
        params.steps = 75
        return params
    }()

    /// What people would read stays in the console: nothing flushes it.
    private func board(_ arguments: String...) throws -> SimulatedBoard {
        try SimulatedBoard(try SimulationOptions.parse(["--simulate"] + arguments), Console(isJSON: false))
    }

    @Test("`play --steps 75` makes 75 pulses, each with its off")
    func play() throws {
        let board = try board()
        let (decision, summary) = try board.send(Self.steps)
        try board.finish()
        #expect(decision.outcome == .played)
        #expect(decision.atNs == 0)
        #expect(decision.app == "hapticctl")
        #expect(summary == PlaySummary(steps: 75, pulses: 75, mergedByMinGap: 0))
        #expect(board.felt.closed.map(\.starts.count) == [75])
        #expect(board.felt.closed.map(\.end) == [.milliseconds(1608)])
    }

    @Test(
        "The charge gives the reference's numbers of vibrations",
        arguments: [
            (0.01, .relative, 77), (0.005, .relative, 122), (0.02, .relative, 43), (0.01, .grid, 97), (0.005, .grid, 133),
            (0.02, .grid, 50),
        ] as [(Double, GateConfiguration.Mode, Int)])
    func charge(step: Double, mode: GateConfiguration.Mode, count: Int) throws {
        let board = try board()
        for (index, tick) in try #require(Charge().steps()).enumerated() {
            try board.run(until: .zero + .milliseconds(10) * (index + 1))
            guard case .progress(let value) = tick else { continue }
            var params = ProgressParams(id: "charge", value: value)
            (params.step, params.mode) = (step, ProgressMode(mode))
            let decision = try board.send(params).decision
            #expect(decision.atNs == Int64(index + 1) * 10_000_000)
        }
        #expect(board.tally.felt == count)
        #expect(board.tally.count == 160)
    }

    @Test("An unknown name is refused with a suggestion")
    func names() throws {
        let board = try board()
        let pattern = #expect(throws: Failure.self) { try board.send(PlayParams(pattern: .named("sofd"))) }
        #expect(pattern?.lines == ["`pattern`: unknown pattern `sofd`, did you mean `soft`?"])
        #expect(pattern?.code == .unknownName)
        #expect(pattern?.refusal?.data?.didYouMean == "soft")
        var params = PlayParams(pattern: .named("soft"))
        params.actuators = ["mian"]
        let actuator = #expect(throws: Failure.self) { try board.send(params) }
        #expect(actuator?.lines == ["`actuators[0]`: unknown actuator `mian`, did you mean `main`?"])
    }

    /// With one actuator of this configuration.
    private func withBoard(_ actuator: String, _ body: (SimulatedBoard) throws -> Void) throws {
        let text = "version: 1\nactuators:\n  - { name: main, backend: simulated, \(actuator) }\n"
        try withFile("board.yaml", text) { try body(try board("--config", $0)) }
    }

    @Test("`--config` sets a motor's limits")
    func configuration() throws {
        try withBoard("motor: { minGap: 20ms }") { board in
            let summary = try #require(try board.send(Self.steps).summary)
            #expect(summary.steps == 75)
            #expect(summary.mergedByMinGap > 0)
            #expect(summary.pulses + summary.mergedByMinGap == 75)
        }
    }

    @Test("Mistakes of `--config` are shown with line and column")
    func mistakes() throws {
        try withFile("board.yaml", "version: 1\nactuators: [{ name: main, backend: simulated }]\nprogres: []\n") { path in
            let failure = #expect(throws: Failure.self) { try board("--config", path) }
            let error = "\(path):3:1: progres: unknown key `progres`, did you mean `progress`?"
            #expect(failure?.lines.prefix(3) == [error, "  3 | progres: []", "    | ^"])
            #expect(failure?.code == .invalidFile)
        }
    }

    @Test("Pulses of a fitted motor are drawn and counted by its drives")
    func fitted() throws {
        try withBoard("reverses: true, motor: { model: precision-305-000, brake: true }") { board in
            // The pulse is lengthened until it is felt, and then braked for some 20 ms.
            let summary = try #require(try board.send(PlayParams(pattern: .named("heavy"))).summary)
            try board.finish()
            let train = try #require(board.felt.closed.first)
            #expect(summary.pulses == 1)
            #expect(train.starts == [.zero])
            let braked = try #require(train.stretches.last)
            #expect(braked.intensity == 0)
            #expect(braked.end - braked.start > .milliseconds(10))
            #expect(train.timeOn == train.end)
        }
    }

    @Test("While the drive stays at 100 %, the curve that is felt goes on, and the picture has both")
    func felt() throws {
        try withBoard("motor: coin") { board in
            _ = try board.send(PlayParams(pattern: .named("start")))
            try board.finish()
            let train = try #require(board.felt.closed.first)
            // Before, its picture showed the level of the first stretch throughout.
            let full = train.stretches.prefix { $0.drive == 1 }
            let (first, last) = (try #require(full.first), try #require(full.last))
            #expect(first.intensity == 0.1)
            #expect(last.intensity > 0.3)
            #expect(last.end > .milliseconds(50))
            var parts: [PulseTrain.Part] = []
            train.forEachFeltPart(until: train.feltEnd) { parts.append($0) }
            let ascending = parts.filter { $0.end <= last.end }
            #expect(ascending.count > 5)
            #expect(ascending.allSatisfy { $0.first < $0.last })
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.end == $1.start && $0.last == $1.first })
            #expect(train.peak > 0.3)
            let lines = TimelinePicture(width: 60, glyphs: .ascii).lines(board.felt)
            #expect(lines.contains("Felt"))
            #expect(lines.contains("Sent to the motor"))
            #expect(lines.first?.contains("felt up to \(Words.percent(train.peak))") == true)
        }
    }

    @Test("What is felt ends with the model's peak, and nothing is felt of a drive that does not start the motor")
    func peaks() throws {
        // 0.35 is as far as an impact is lengthened on a slow motor, see docs/feel.md.
        for (fit, peak) in [(.auto, 0.35), (.off, 0)] as [(Fit, Double)] {
            try withBoard("motor: coin") { board in
                var params = PlayParams(pattern: .named("tick"))
                params.fit = fit
                _ = try board.send(params)
                try board.finish()
                let train = try #require(board.felt.closed.first)
                #expect(abs(train.peak - peak) < 0.005)
            }
        }
    }

    @Test("An event without a rule is decided, and not felt")
    func event() throws {
        let board = try board()
        #expect(try board.send(EventParams(name: "tea.ready")).decision.reason == .noRule)
        #expect(try board.send(EventParams(name: "payment.succeeded")).decision.pattern == "success")
        try board.finish()
        #expect(board.tally.words == "2 sent, 1 felt, 1 not (1 noRule)")
    }

    @Test("A configuration's faults are simulated, too: the device goes, and comes back")
    func faults() throws {
        try withBoard("faults: { failAfter: 10, recoverAfter: 500ms }") { board in
            _ = try board.send(Self.steps)
            try board.run(until: .zero + .seconds(1))
            #expect(try board.send(Self.steps).decision.reason == .deviceLost)
            try board.run(until: .zero + .seconds(3))
            #expect(try board.send(Self.steps).decision.outcome == .played)
            #expect(board.felt.closed.map(\.starts.count) == [5])
        }
    }
}
