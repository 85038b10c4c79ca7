// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import TestSupport
import Testing

@testable import HapticRuntime

/// `Tests/fixtures/scripts/executor.txt`: pulses, gaps, stalls, revocations, cut-offs, brakes, and the leash. The leash
/// switches off an output without a planned actuation, until there is one again.
@Suite("Scripts of the executor") struct ExecutorScriptTests {
    @Test("The executor does for each script what the script says")
    func scripts() throws {
        let differences = try TextCases.differences(in: "scripts/executor") { try perform($0) }
        #expect(differences == [])
    }

    private func perform(_ script: String) throws -> [String] {
        let lines = script.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        func option(_ name: String) -> Int64? { lines.first { $0.starts(with: ["with", name]) }.flatMap { Int64($0[2]) } }
        let fails = lines.contains(["with", "a", "fault", "at", "2"])
        let driver = SimulatedDriver(
            name: "main", capabilities: ActuatorCapabilities(variesIntensity: true, variesSharpness: true, reverses: true),
            limits: MotorLimits(maxOn: option("maxOn").map { .milliseconds($0) }),
            faults: fails ? .from(apply: 2, .io(errno: 5), until: .onOpen) : .none)
        var executor = VirtualExecutor([driver], minGaps: option("minGap").map { [.milliseconds($0)] } ?? [])
        for words in lines where words[0] != "with" {
            let number = words.count > 1 ? Int64(words[1]) ?? 0 : 0
            switch words[0] {
            case "run": executor.run(until: number)
            case "stall": executor.stall(until: number)
            case "all": executor.take(.allOff)
            case "open": try driver.open(at: executor.now)
            case "restore": executor.take(.restore(ActuatorIndex(0)))
            case "revoke":
                let from = ms(try #require(Int64(words[3])))
                executor.take(
                    .revoke(PlaybackID(UInt64(number)), ActuatorIndex(0), from: from, continues: words.contains("going")))
            default:
                let playback = words.count > 3 ? UInt64(words[3]) : 1
                executor.take(
                    .actuate(
                        actuation(
                            try #require(Int64(words[0])), driven: try #require(Self.levels[words[1]]),
                            playback: try #require(playback))))
            }
        }
        let left = executor.core.nextDeadline == .distantFuture ? [] : ["something is left to do"]
        let felt = driver.record.map { "\($0.real) \(Self.word($0.drive, $0.level))" }.joined(separator: ", ")
        let reports = lines.contains(["with", "reports"]) ? executor.reports.compactMap(Self.words) : []
        return reports + left + [felt.isEmpty ? "nothing" : felt]
    }

    private static let levels = [
        "on": DrivenLevel(on), "off": .off, "brake": DrivenLevel(.off, drive: Drive(-1)),
        "weak": DrivenLevel(Level(intensity: Intensity(clamping: 0.5), sharpness: .zero)),
    ]

    private static func word(_ drive: Drive, _ level: Level) -> String {
        drive < .zero ? "brake" : level.isOn ? "on" : "off"
    }

    private static func words(_ report: ExecutorReport) -> String? {
        func words(_ actuation: Actuation) -> String { "\(actuation.planned) \(actuation.level.isOn ? "on" : "off")" }
        return switch report {
        case .missed(let actuation, let at): "missed \(words(actuation)) at \(at)"
        case .cutOff(let actuation, let at): "cut off \(words(actuation)) at \(at)"
        case .abandoned(let actuation, let at): "abandoned \(words(actuation)) at \(at)"
        case .faulted(_, _, let at): "faulted at \(at)"
        case .restored(_, let at): "restored at \(at)"
        case .refused(let actuation): "refused \(words(actuation))"
        case .actuated: nil
        }
    }
}
