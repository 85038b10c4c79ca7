// SPDX-License-Identifier: MIT
package import HapticBackends
import HapticConfig
import HapticCore

/// What a machine has, as the `actuators` of a configuration.
///
/// Only what is surely there to be felt or seen is an entry. The rest are comments: what is in use, and what may be wired to
/// anything, where driving the wrong one can break it.
package struct ScanYAML {
    package private(set) var lines: [String] = []
    private var names: Set<String> = []
    private var entryCount = 0

    /// As many actuators as a configuration may have.
    private static let limit = 64

    package init(_ inventories: [Inventory]) {
        lines = ["# What `hapticctl actuators --scan` found here. Keep what you want, under names that you like.", "actuators:"]
        for inventory in inventories {
            for proposal in inventory.proposals { add(proposal, inventory) }
        }
        if entryCount == 0 {
            lines += [
                "  # No pad and no free light was found. This one is simulated, so that there is one.",
                "  - { name: main, backend: \(SimulatedBackend.name) }",
            ]
            names.insert("main")
        }
        // What is likeliest to be used by mistake comes last.
        for inventory in inventories.reversed() {
            for section in inventory.sections {
                lines += ["", "  # \(section.title.printable)"]
                for proposal in section.proposals { lines.append(comment(keys(proposal, inventory), proposal.note)) }
            }
        }
    }

    private mutating func add(_ proposal: Inventory.Proposal, _ inventory: Inventory) {
        let keys = keys(proposal, inventory)
        guard proposal.isSafe, entryCount < Self.limit else { return lines.append(comment(keys, proposal.note)) }
        entryCount += 1
        if let note = proposal.note { lines.append("  # \(note.printable)") }
        for (index, key) in keys.enumerated() { lines.append((index == 0 ? "  - " : "    ") + key.yaml) }
    }

    /// One line that is an entry without its `#`.
    private func comment(_ keys: [ConfigurationKey], _ note: String?) -> String {
        "  # - \(ConfigurationKey.Value.keys(keys).yaml)" + (note.map { "   # \($0.printable)" } ?? "")
    }

    /// Of the whole actuator, under a name that no other has.
    private mutating func keys(_ proposal: Inventory.Proposal, _ inventory: Inventory) -> [ConfigurationKey] {
        let name = name(proposal.name, orElse: inventory.noun)
        return [.init("name", .word(name)), .init("backend", .word(inventory.backend))] + proposal.keys
    }

    /// A name for an actuator out of one of a device: small letters, digits and dashes, and not used before.
    private mutating func name(_ text: String, orElse other: String) -> String {
        var words = ""
        for character in text.unicodeScalars.map(Self.small) {
            let isPlain = ("a"..."z").contains(character) || ("0"..."9").contains(character)
            if isPlain { words.unicodeScalars.append(character) } else if let last = words.last, last != "-" { words += "-" }
        }
        words = String(words.prefix(40))
        while words.last == "-" { words.removeLast() }
        // YAML takes a word of digits for a number, and some words for others than text.
        if words.isEmpty || words.allSatisfy(\.isNumber) || ["null", "true", "false"].contains(words) {
            words = words.isEmpty ? other : "\(other)-\(words)"
        }
        var name = words
        var number = 2
        while !names.insert(name).inserted {
            name = "\(words)-\(number)"
            number += 1
        }
        return name
    }

    private static func small(_ letter: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(letter) ? Unicode.Scalar(UInt8(letter.value) | 0x20) : letter
    }
}
