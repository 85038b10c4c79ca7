// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

extension PatternsParams: ServedCall {
    func reply(in service: FeedbackService, for _: Client, at _: MonotonicInstant) -> Reply? {
        do throws(WireError) {
            guard let name else { return try list(in: service) }
            let found = try service.line.resolver.outlined(name)
            return .result(Listings.pattern(found.pattern, found.outline, of: service.configuration))
        } catch {
            return .error(error)
        }
    }

    /// The first ones are written once; whoever wants the others has them written.
    private func list(in service: FeedbackService) throws(WireError) -> Reply {
        guard let after else { return .written(service.listings.patterns(of: service.configuration)) }
        guard service.line.resolver.work.take(Listings.mostPatterns * WorkBudget.Cost.message) else {
            throw WireError(.quota, "the patterns of this line are too many at once; ask for fewer in a line")
        }
        return .result(service.listings.patterns(of: service.configuration, after: Text(after)))
    }
}
