// SPDX-License-Identifier: MIT

/// What has to have happened at least once over a run, or it has shown nothing.
struct Sometimes {
    enum Point: String, CaseIterable {
        case counted, mergedPulse, refusedInput, batch, takenBack, preemption, fade, immediateCancel
        case maxOnCut, dutyCut, heatCut, heated, fullRing, revokedOn, leashOff, missedActuation, deviceLostOn, deviceBack
        case reloadInPlay, replacedInPlay, clientGone, lateEngine, unnoticedLateness, lateExecutor, stopped, lostDoorbell, slept
        case profileEnd, offEnd, refusedOff, refusedQuiet, refusedStrength, refusedAlarm
        case felt, fitted, braked, overdriven, resumed, waitedInVain, waitReplaced, followed, followMerged
        case composed, dense, openPhase, advanced, lateEnding, staggered, handOver
        case holdFelt, holdConfirmed, holdReleased, holdReserved, holdTwice, holdOfOther, holdQuota, holdPressFelt, holdsWaited,
            leaseRenewed, leaseEnded
        case setFelt, setSame, setIncomplete, setDropped, setQuota, setWithoutPart
        case taskFelt, taskTwice, taskLate, taskWorking, taskQuota
        // Only with the service around the engine.
        case quotaRefused, accessRefused, paramsRefused, connectionRefused, goneAnswered, goneUnread, waitDropped
        case noticesMissed, reloadInWait, answeredLate, halfLine, halfClosed, lineTooLong, flood, othersMasked, suspended
        case answeredStored, notStored, transaction, transactionRefused
    }

    private(set) var counts = [Int](repeating: 0, count: Point.allCases.count)

    mutating func note(_ point: Point) { counts[Self.indices[point]!] += 1 }

    mutating func add(_ other: Sometimes) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }

    func count(of point: Point) -> Int { counts[Self.indices[point]!] }

    var never: [Point] { Point.allCases.filter { count(of: $0) == 0 } }

    var table: String { Point.allCases.map { "\($0.rawValue) \(count(of: $0))" }.joined(separator: ", ") }

    private static let indices = Dictionary(uniqueKeysWithValues: Point.allCases.enumerated().map { ($1, $0) })
}
