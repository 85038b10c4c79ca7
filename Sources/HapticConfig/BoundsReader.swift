// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticJSON

/// Reads the table of bounds; what is left out stays as it is by default.
enum BoundsReader {
    private static let clients = 1...65_536
    private static let sources = 1...1_048_576
    private static let playbacks = 1...65_536
    private static let timeouts = Nanoseconds.seconds(1) ... .seconds(86_400)

    static func read(_ reader: NodeReader, into configuration: inout Configuration) {
        var (clients, bounds) = (configuration.clientBounds, configuration.bounds)
        let isRead: Bool? = reader.object { fields in
            if let value = fields.optional("clients")?.integer(in: Self.clients) { clients.clients = value }
            read("clientsPerUser", in: Self.clients, &fields, into: &clients.clientsPerUser)
            readRate("requestsPerClient", &fields, into: &clients.requestsPerClient)
            readRate("requestsPerUser", &fields, into: &clients.requestsPerUser)
            if let value = fields.optional("sources")?.integer(in: Self.sources) { bounds.sources = value }
            if let value = fields.optional("sourcesPerUser")?.integer(in: Self.sources) { bounds.sourcesPerUser = value }
            read("sourcesPerClient", in: Self.sources, &fields, into: &bounds.sourcesPerClient)
            if let value = fields.optional("playbacks")?.integer(in: Self.playbacks) { bounds.playbacks = value }
            read("playbacksPerUser", in: Self.playbacks, &fields, into: &bounds.playbacksPerUser)
            read("playbacksPerClient", in: Self.playbacks, &fields, into: &bounds.playbacksPerClient)
            if let value = fields.optionalDuration("sourceTimeout", in: timeouts) { bounds.sourceTimeout = value }
            return true
        }
        if isRead == true { (configuration.clientBounds, configuration.bounds) = (clients, bounds) }
    }

    /// A number, or `none`.
    private static func read(
        _ key: String, in range: ClosedRange<Int>, _ fields: inout FieldReader, into bound: inout Int?
    ) {
        guard let field = fields.optional(key) else { return }
        if field.isNone {
            bound = nil
            return
        }
        guard case .number = field.node.content else {
            return field.failExpected("a whole number from \(range.lowerBound) to \(range.upperBound), or `none`")
        }
        if let value = field.integer(in: range) { bound = value }
    }

    /// A rate, or `none`.
    private static func readRate(_ key: String, _ fields: inout FieldReader, into bound: inout Int?) {
        guard let field = fields.optional(key) else { return }
        bound = field.isNone ? nil : field.rate(in: RequestBudget.rates)
    }
}
