// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire

@testable import HapticEngine
@testable import HapticServer
@testable import HapticService

/// Everything that the daemon keeps for its clients, with its bound.
///
/// docs/bounds.md has the table. `KeptTests` fills each bound as one user; then another user's alarm must still be felt.
enum Kept: CaseIterable, Sendable {
    case connections, requests, sources, things, playbacks, waitingPlaybacks, followedValues, holds, deviceHolds, tasks,
        conditions, rates
    case settings, storedSettings, repeatedEvents, decisions, waits, preparations, rests, playParts, reloads, subscriptions,
        formerUsers, scopes
    case refusals, shiftedSets, endedPlaybacks, unread, lingering

    /// A limit of so many, in words.
    struct Limit: Sendable {
        /// Nil: it is no number, or there is none unless it is configured.
        let most: Int?
        let text: String

        fileprivate init(_ most: Int?, _ text: String) { (self.most, self.text) = (most, text) }

        fileprivate static let none = Limit(nil, "–")
        fileprivate static func count(_ most: Int?, _ of: String = "") -> Limit {
            Limit(most, (most.map { "\($0)" } ?? "none") + (of.isEmpty ? "" : " \(of)"))
        }
    }

    struct Row: Sendable {
        let kept: String
        let ofUser: Limit
        let ofAll: Limit
        let atLimit: String

        fileprivate init(_ kept: String, ofUser: Limit = .none, ofAll: Limit = .none, _ atLimit: String) {
            (self.kept, self.ofUser, self.ofAll, self.atLimit) = (kept, ofUser, ofAll, atLimit)
        }

        /// The limit of one user.
        var most: Int? { ofUser.most ?? ofAll.most }
    }

    static var table: String {
        let rows = allCases.map(\.row).map { "| \($0.kept) | \($0.ofUser.text) | \($0.ofAll.text) | \($0.atLimit) |" }
        return (["| kept | of one user | of all | at the limit |", "| --- | --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    var row: Row { row() }

    /// With other bounds than the standard ones.
    func row(_ bounds: EngineBounds = .standard, _ clients: ClientBounds = .standard) -> Row {
        rowOfEngine(bounds) ?? rowOfService(clients)
    }

    private func rowOfEngine(_ bounds: EngineBounds) -> Row? {
        func standard(_ name: String, ofUser: Int?, ofAll: Int?, _ atLimit: String = "`suppressed`, `quota`") -> Row {
            Row(name, ofUser: .count(ofUser), ofAll: .count(ofAll), atLimit)
        }
        return switch self {
        case .sources: standard("sources", ofUser: bounds.sourcesPerUser, ofAll: bounds.sources)
        case .things:
            standard(
                "things of sets, and 80 bytes of ids for each", ofUser: bounds.thingsPerUser, ofAll: bounds.things,
                "`suppressed`, `quota`; the old set stays")
        case .playbacks:
            standard(
                "playbacks", ofUser: bounds.playbacksPerUser, ofAll: bounds.playbacks,
                "waiting playbacks make room; without any, `suppressed`, `quota`")
        case .waitingPlaybacks:
            Row(
                "playbacks that wait", ofAll: .count(WaitingTable.mostPerActuator, "for each actuator"),
                "the least important one ends as `preempted`")
        case .followedValues:
            Row("followed values", ofAll: .count(1, "on each actuator"), "`suppressed`, `lowerPriority`")
        case .holds:
            standard("holds of clients, each with its lease", ofUser: HoldTable.mostPerUser, ofAll: HoldTable.mostOfClients)
        case .deviceHolds:
            Row(
                "keys, buttons and switches of holds and conditions", ofAll: .count(HoldTable.mostOfDevices),
                "the configuration is refused")
        case .tasks: standard("tasks", ofUser: TaskTable.mostPerUser, ofAll: TaskTable.most)
        case .conditions:
            Row(
                "conditions that clients assert, each once for each connection", ofUser: .count(ConditionRule.mostPerUser),
                "error -32000")
        case .rates:
            Row(
                "playbacks of a class in a second", ofAll: Limit(nil, "the `limit` of the class; an alarm has none"),
                "`suppressed`, `rateLimited`")
        case .repeatedEvents:
            standard(
                "events that may come again in quiet hours", ofUser: RepetitionTable.mostOfUser,
                ofAll: RepetitionTable.mostEvents, "the oldest one is forgotten")
        case .settings:
            Row("apps with a strength", ofAll: .count(Settings.Limit.apps), "error -32602")
        default: nil
        }
    }

    private func rowOfService(_ bounds: ClientBounds) -> Row {
        let tooMany = "error -32000"
        return switch self {
        case .connections:
            Row("connections", ofUser: .count(bounds.clientsPerUser), ofAll: .count(bounds.clients), tooMany)
        case .requests:
            Row("requests in a second", ofUser: .count(bounds.requestsPerUser), "\(tooMany); the connection rests")
        case .storedSettings: Row("lines that wait until settings are stored", ofAll: .count(SettingsQueue.limit), tooMany)
        case .decisions:
            Row("decisions for `why`", ofAll: .count(History.capacity), "the oldest one goes of the user who has the most")
        case .waits: Row("replies to `play` with `wait`", ofAll: Limit(nil, "one for each playback"), "as for playbacks")
        case .preparations:
            Row("`prepare` requests under way", ofAll: .count(PendingReplies.mostPreparations), tooMany)
        case .rests:
            Row(
                "`cancel` requests with `untilResumed` under way", ofUser: Limit(0, "root and the daemon's user only"),
                ofAll: .count(PendingReplies.mostOffWaits), tooMany)
        case .playParts:
            Row(
                "bytes of the parts of a large pattern",
                ofUser: .count(BegunPlays.mostOfUser, "(\(WireLimit.patternInParts) of one connection)"),
                ofAll: .count(BegunPlays.most),
                "\(tooMany); the pattern is refused")
        case .reloads: Row("`reload` requests that wait", ofAll: .count(ReloadQueue.limit), tooMany)
        case .subscriptions:
            Row("topics", ofAll: .count(Topic.allCases.count, "for each connection"), "the newer list replaces the older one")
        case .formerUsers:
            Row(
                "users without a connection whose rate is not full again", ofAll: .count(UserTable.mostGone),
                "the oldest one is forgotten")
        case .scopes:
            Row(
                "scopes of doors without a connection", ofAll: .count(ScopeTable.mostGone),
                "the oldest one goes of the user who has the most")
        case .refusals: Row("refusals that are logged by user", ofAll: .count(RefusalLog.capacity), "one sum for all others")
        case .shiftedSets:
            Row(
                "sets named in the log for ids that are positions", ofUser: .count(ShiftedSets.mostOfUser),
                ofAll: .count(ShiftedSets.mostUsers, "users"), "not logged; the oldest user is forgotten")
        case .endedPlaybacks:
            Row(
                "ended playbacks whose first actuation is not reported yet, or that played a followed value",
                ofAll: .count(ServiceStatistics.mostEnded), "the oldest one is forgotten")
        case .unread:
            Row(
                "bytes that clients do not read",
                ofUser: .count(Backlog.mostOfUser, "(\(Backlog.mostOfOne) of one connection)"),
                ofAll: .count(Backlog.most), "notifications are left out; the connection with the most is closed")
        case .lingering:
            Row("refused connections that are still open", ofAll: .count(FeedbackServer.mostLingering), "closed immediately")
        default: preconditionFailure("no row for \(self)")
        }
    }
}
