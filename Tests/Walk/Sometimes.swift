// SPDX-License-Identifier: MIT

/// What has to have happened at least once over a run, or it has shown nothing.
struct Sometimes {
    enum Point: String, CaseIterable {
        case judged, mergedPulse, refusedInput, batch, takenBack, preemption, fade, immediateCancel
        case maxOnCut, dutyCut, fullRing, revokedOn, leashOff, missedActuation, deviceLostOn, deviceBack
        case reloadInPlay, replacedInPlay, clientGone, lateEngine, unnoticedLateness, lateExecutor, stopped, lostDoorbell,
            profileEnd, slept, offEnd, refusedOff, refusedQuiet, refusedStrength, refusedAlarm
        case felt, fitted, resumed, waitedInVain, waitReplaced, madeRoom, heated, heatCut, braked, overdriven
        case composed, dense, openPhase, released, releasedEarly, advanced, advancedEarly, lateEnding, phaseUpTo, fittedPhase
        case holdFelt, holdConfirmed, holdReleased, holdReserved, holdTwice, holdOfOther, holdQuota, holdPressFelt, holdsWaited,
            leaseRenewed, leaseEnded
        case setFelt, setSame, setIncomplete, setDropped, setQuota, setWithoutPart
        case taskFelt, taskTwice, taskLate, taskWorking, taskQuota
        case followed, followMerged
        case staggered, handOver, constantPower, handOverPhase
        // Where the service is around the engine.
        case quotaRefused, accessRefused, paramsRefused, connectionRefused, goneAnswered, goneUnread, waitDropped
        case noticesMissed, reloadInWait, answeredLate, halfLine, halfClosed, lineTooLong, flood, othersMasked, suspended,
            answeredStored, notStored
        case transaction, transactionRefused
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
