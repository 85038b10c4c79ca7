// SPDX-License-Identifier: MIT
package import HapticBackends
import HapticCore
import HapticTerminal

/// What a machine has, as tables for people.
package struct ScanText {
    package private(set) var lines: [String] = []
    private var hasRefusal = false

    package init(_ inventories: [Inventory]) {
        for inventory in inventories { add(inventory) }
        guard hasRefusal else { return }
        lines += [
            "", "What is refused to you need not be to hapticd, which is of the group hapticd: as that one,",
            "`sudo -u hapticd hapticctl actuators --scan` shows what it may use.",
        ]
    }

    private mutating func add(_ inventory: Inventory) {
        if !lines.isEmpty { lines.append("") }
        lines.append("\(inventory.title) (backend \(inventory.backend))")
        if inventory.tables.isEmpty { lines.append("  \(inventory.whenEmpty)") }
        for table in inventory.tables { add(table) }
    }

    private mutating func add(_ table: Inventory.Table) {
        if let heading = table.heading { lines.append("  \(heading.printable)") }
        let indent = String(repeating: " ", count: table.heading == nil ? 2 : 4)
        if !table.rows.isEmpty { lines += Table.lines([table.columns] + table.rows).map { indent + $0 } }
        if let refusal = refusal(table.faults) { lines.append(indent + refusal) }
    }

    /// The first of these faults, for all of one kind ask for the same; and how many there are.
    private mutating func refusal(_ faults: [DriverFault]) -> String? {
        guard let first = faults.first else { return nil }
        if first.cause == .permission { hasRefusal = true }
        let others = Set(faults.map(\.device)).count - 1
        return "refused: \(first)" + (others == 0 ? "" : " (and so for \(Words.count(others, "other")))")
    }
}
