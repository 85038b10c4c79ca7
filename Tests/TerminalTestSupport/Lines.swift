// SPDX-License-Identifier: MIT
import HapticCore
package import HapticTerminal
import HapticWire

extension [[Console.Span]] {
    /// The lines as a terminal shows them, without colours.
    package var plain: [String] { map { $0.map(\.text.printable).joined() } }
}

/// Encodes `value` as one line of JSON.
package func jsonLine(_ value: some Encodable) -> String {
    String(decoding: WireWriter.line(value).dropLast(), as: UTF8.self)
}
