// SPDX-License-Identifier: MIT
import HapticCore

/// What only devices may say: the names of their holds, and those of the events that follow these.
struct ReservedNames: Hashable, Sendable {
    private(set) var names: Set<Text> = []
    private(set) var events: Set<Text> = []

    init(_ rules: [HoldRule]) {
        for case .device(let name) in rules.map(\.match) {
            names.insert(Text(name))
            for state in [HoldChange.State.confirmed, .released] { events.insert(Text("\(name).\(state.rawValue)")) }
        }
    }
}
