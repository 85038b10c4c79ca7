// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import TestSupport
import Testing

@testable import HapticBoard

@Suite("The states of a device")
struct DeviceStateTests {
    private static let faults = [
        "absent": DriverFault(.absent, device: "pad"), "gone": DriverFault(.deviceLost, device: "pad"),
        "busy": DriverFault(.busy(holder: "fftest"), device: "pad"), "denied": DriverFault(.permission, device: "pad"),
        "hanging": DriverFault(.hanging, device: "pad"),
        "noGuard": DriverFault(.unusable(why: "no guard", remedy: "wait"), device: "pad"),
    ]
    private static let start = MonotonicInstant.zero + .seconds(100)

    /// `Tests/fixtures/scripts/device.txt`, which is derived by hand from the table of the states.
    @Test("A device responds to each event as the script says")
    func scripts() throws {
        let found = try TextCases.differences(in: "scripts/device", isRecorded: false) { try differences($0) }
        #expect(found == [])
    }

    private func differences(_ script: String) throws -> [String] {
        var lines = script.split(separator: "\n")
        let isUnwatched = lines.first == "unwatched"
        if isUnwatched { lines.removeFirst() }
        var now = Self.start
        var device = DeviceState(isWatched: !isUnwatched, at: now)
        return try lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return line == "ended" && device.hasEnded ? nil : "\(line): no" }
            var event = line[..<colon].split(separator: " ").map(String.init)
            if event[0].hasPrefix("@") {
                now = Self.start + .milliseconds(try #require(Int64(event.removeFirst().dropFirst())))
            }
            let actions = try perform(event, on: &device, at: now)
            let done = actions.map(Self.words).joined(separator: ", ")
            return line[colon...].dropFirst(2) == done ? nil : "\(line[..<colon]): \(done)"
        }
    }

    private func perform(
        _ event: [String], on device: inout DeviceState, at now: MonotonicInstant
    ) throws -> [DeviceState.Action] {
        func fault() throws -> DriverFault { try #require(Self.faults[event[1]]) }
        return switch event[0] {
        case "begin": device.begin()
        case "seen": device.seen()
        case "late": device.isLate()
        case "opened": device.opened(at: now)
        case "failed": device.failedToOpen(try fault(), at: now)
        case "due": device.retryIsDue(at: now)
        case "restored": device.restored()
        case "withdraw": device.withdraw(try fault())
        case "faulted": device.faulted(try fault(), at: now)
        case "reload": device.reload(isKept: event[1] == "kept", at: now)
        case "closed": device.closed()
        default: throw UnknownEvent(name: event[0])
        }
    }

    private struct UnknownEvent: Error { let name: String }

    private static func words(_ action: DeviceState.Action) -> String {
        func name(_ fault: DriverFault) -> String { faults.first { $0.value == fault }?.key ?? "\(fault)" }
        return switch action {
        case .open: "open"
        case .close: "close"
        case .handOver: "hand over"
        case .withdraw(let fault): "withdraw \(name(fault))"
        case .retry(let instant): "retry \((instant - start).count / 1_000_000)"
        case .cancelRetry: "cancel retry"
        case .probe: "look"
        case .announceOpening: "opening"
        case .announceLost(let fault, let isNews): "\(isNews ? "" : "still ")lost \(name(fault))"
        case .announceThere(let after): "there after \(after)"
        }
    }

    @Test("Patterns are prepared on a device that is open or about to open")
    func preparations() {
        var device = DeviceState(isWatched: true, at: Self.start)
        var takes: [Bool] = []
        func note(_ actions: [DeviceState.Action]) { takes.append(device.takesPreparations) }
        note([])
        note(device.begin())
        note(device.opened(at: Self.start))
        note(device.reload(isKept: true, at: Self.start))
        #expect(takes == [false, true, true, false])
        device = DeviceState(isWatched: true, at: Self.start)
        note(device.begin())
        note(device.isLate())
        #expect(takes.suffix(2) == [true, false])
        note(device.failedToOpen(DriverFault(.absent, device: "pad"), at: Self.start))
        #expect(takes.last == false)
    }
}
