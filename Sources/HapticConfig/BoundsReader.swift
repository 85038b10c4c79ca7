// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticText

extension Configuration {
    private static let clientCounts = 1...65_536
    private static let sourceCounts = 1...1_048_576
    private static let thingCounts = 1...10_000_000
    private static let playbackCounts = 1...65_536
    private static let playbackBound = Form<Int?>.countOrNone(in: playbackCounts)
    private static let requestRate = Form<Int?>.rateOrNone(in: RequestBudget.rates)
    private static let timeout = Form<Nanoseconds>.duration(in: .seconds(1) ... .seconds(86_400))

    private static func words(_ count: Int?) -> String? { count.map { "\($0)" } }

    /// The table of bounds; what is left out stays as it is by default.
    static let boundKeys: [Key<Self>] = clientKeys + sourceKeys + playbackKeys

    private static let clientKeys: [Key<Self>] = [
        .optional(
            "clients", .integer(in: clientCounts), default: words(ClientBounds.standard.clients),
            "connections at one time; fewer if the daemon may not open as many files"
        ) { $0.clientBounds.clients = $1 },
        .optional(
            "clientsPerUser", .countOrNone(in: clientCounts), default: words(ClientBounds.standard.clientsPerUser),
            "connections of one user, so that nobody takes all of them"
        ) { $0.clientBounds.clientsPerUser = $1 },
        .optional("requestsPerClient", requestRate, "requests per second of one connection") {
            $0.clientBounds.requestsPerClient = $1
        },
        .optional("requestsPerUser", requestRate, "requests per second of all connections of one user") {
            $0.clientBounds.requestsPerUser = $1
        },
    ]

    private static let sourceKeys: [Key<Self>] = [
        .optional(
            "sources", .integer(in: sourceCounts), default: words(EngineBounds.standard.sources), "sources of all clients"
        ) { $0.bounds.sources = $1 },
        .optional(
            "sourcesPerUser", .integer(in: sourceCounts), default: words(EngineBounds.standard.sourcesPerUser),
            "sources of one user"
        ) { $0.bounds.sourcesPerUser = $1 },
        .optional(
            "sourcesPerClient", .countOrNone(in: sourceCounts),
            "sources that one connection has made and that are not forgotten yet"
        ) { $0.bounds.sourcesPerClient = $1 },
        .optional(
            "things", .integer(in: thingCounts), default: words(EngineBounds.standard.things),
            "things of all sets, and 80 bytes for each of them, of ids and of names of sets"
        ) { $0.bounds.things = $1 },
        .optional(
            "thingsPerUser", .integer(in: thingCounts), default: words(EngineBounds.standard.thingsPerUser),
            "things of one user, in the same way"
        ) { $0.bounds.thingsPerUser = $1 },
    ]

    private static let playbackKeys: [Key<Self>] = [
        // Keys are read in this order, so a share that is given replaces that of the number.
        .optional(
            "playbacks", .integer(in: playbackCounts), default: words(EngineBounds.standard.playbacks),
            "playbacks of all clients at one time"
        ) { ($0.bounds.playbacks, $0.bounds.playbacksPerUser) = ($1, EngineBounds.share(of: $1)) },
        .optional(
            "playbacksPerUser", playbackBound, default: "a quarter of `playbacks`",
            "playbacks of one user; replaced playbacks do not count, nor do playbacks that fade out"
        ) { $0.bounds.playbacksPerUser = $1 },
        .optional("playbacksPerClient", playbackBound, "playbacks of one connection; the same playbacks do not count") {
            $0.bounds.playbacksPerClient = $1
        },
        .optional(
            "sourceTimeout", timeout, default: "\(EngineBounds.standard.sourceTimeout)",
            "the time from the last input of a source until the source is forgotten; time in which the machine sleeps counts"
        ) { $0.bounds.sourceTimeout = $1 },
    ]
}
