// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticJSON

extension Configuration {
    private static let clientCounts = 1...65_536
    private static let sourceCounts = 1...1_048_576
    private static let thingCounts = 1...10_000_000
    private static let playbackCounts = 1...65_536
    private static let playbackBound = Form<Int?>.countOrNone(in: playbackCounts)
    private static let requestRate = Form<Int?>.rateOrNone(in: RequestBudget.rates)
    private static let timeout = Form<Nanoseconds>.duration(in: .seconds(1) ... .seconds(86_400))

    /// The table of bounds; what is left out stays as it is by default.
    static let boundKeys: [Key<Self>] = [
        .optional("clients", .integer(in: clientCounts), "connections at one time") { $0.clientBounds.clients = $1 },
        .optional("clientsPerUser", .countOrNone(in: clientCounts), "of one user") { $0.clientBounds.clientsPerUser = $1 },
        .optional("requestsPerClient", requestRate, "requests of one connection") { $0.clientBounds.requestsPerClient = $1 },
        .optional("requestsPerUser", requestRate, "requests of one user") { $0.clientBounds.requestsPerUser = $1 },
        .optional("sources", .integer(in: sourceCounts), "sources that are not forgotten yet") { $0.bounds.sources = $1 },
        .optional("sourcesPerUser", .integer(in: sourceCounts), "of one user") { $0.bounds.sourcesPerUser = $1 },
        .optional("sourcesPerClient", .countOrNone(in: sourceCounts), "of one connection") { $0.bounds.sourcesPerClient = $1 },
        .optional("things", .integer(in: thingCounts), "things of all sets, and 80 bytes for each") {
            $0.bounds.things = $1
        },
        .optional("thingsPerUser", .integer(in: thingCounts), "of one user") { $0.bounds.thingsPerUser = $1 },
        // Keys are read in this order, so a share that is given replaces that of the number.
        .optional("playbacks", .integer(in: playbackCounts), "playbacks at one time") {
            ($0.bounds.playbacks, $0.bounds.playbacksPerUser) = ($1, EngineBounds.share(of: $1))
        },
        .optional("playbacksPerUser", playbackBound, "of one user; a quarter of `playbacks` by default") {
            $0.bounds.playbacksPerUser = $1
        },
        .optional("playbacksPerClient", playbackBound, "of one connection") { $0.bounds.playbacksPerClient = $1 },
        .optional("sourceTimeout", timeout, "after its last input a source is kept so long") { $0.bounds.sourceTimeout = $1 },
    ]
}
