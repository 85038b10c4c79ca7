// SPDX-License-Identifier: MIT

/// A progress bar as one line of text.
struct ProgressBar: Hashable, Sendable {
    /// Before the bar.
    var label: String
    /// In characters, of the whole line.
    var width: Int
    var isUnicode: Bool

    /// The bar at `share` (0…1), `note` behind it. As wide as `width`, or as label and note need where that is more.
    func line(_ share: Double, note: String) -> String {
        let share = min(max(share, 0), 1)
        let percent = "\(Int((share * 100).rounded(.down)))%"
        let tail = String(repeating: " ", count: max(0, 4 - percent.count)) + percent + (note.isEmpty ? "" : "  " + note)
        let room = width - label.count - tail.count - 4
        guard room >= 4 else { return "\(label) \(tail)" }
        return "\(label)  \(isUnicode ? blocks(share, room) : signs(share, room))  \(tail)"
    }

    private func blocks(_ share: Double, _ room: Int) -> String {
        // trap: a share of at most 1 of a width.
        let halves = Int(share * Double(room * 2))
        let full = String(repeating: "━", count: halves / 2)
        let half = halves % 2 == 1 ? "╸" : ""
        return full + half + String(repeating: "─", count: room - full.count - half.count)
    }

    private func signs(_ share: Double, _ room: Int) -> String {
        // trap: a share of at most 1 of a width.
        let full = Int(share * Double(room - 2))
        return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: room - 2 - full) + "]"
    }
}
