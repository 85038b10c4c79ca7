// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticPatterns
internal import HapticPlanning
internal import HapticWire

extension PrepareParams: ServedCall {
    func reply(in service: FeedbackService, for client: Client, at _: MonotonicInstant) -> Reply? {
        do throws(WireError) {
            return .later(try prepare(in: service, for: client))
        } catch {
            return .error(error)
        }
    }

    private func prepare(in service: FeedbackService, for client: Client) throws(WireError) -> Ticket {
        let names = patterns ?? []
        var timelines: [Timeline] = []
        for (index, name) in names.enumerated() {
            timelines.append(try service.line.resolver.pattern(name, path: "patterns[\(index)]").timeline)
        }
        let named = try actuators.map { names throws(WireError) in try service.line.resolver.actuators(names) }
        let configured = service.configuration.engine.actuators
        let all = configured.indices.map { ActuatorIndex($0) }
        let asked = (named ?? all).filter { service.loop.engine.isAvailable($0) }
        let preparation = Preparation(patterns: names, actuators: asked.map { configured[$0.value].name })
        guard let ticket = service.pending.wait(for: preparation, of: client.connection) else {
            throw WireError(.quota, "too many wait for patterns to be made ready already; try again later")
        }
        service.outputs.append(.prepare(timelines, on: asked, ticket))
        return ticket
    }
}
