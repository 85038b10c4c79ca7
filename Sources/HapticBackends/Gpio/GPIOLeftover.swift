// SPDX-License-Identifier: MIT

/// A line that a daemon may have left active.
public struct GPIOLeftover: Leftover {
    private let address: GPIOAddress

    public init(_ address: GPIOAddress) { self.address = address }

    public var name: String { "\(address)" }

    public var keys: [ConfigurationKey] {
        let line: ConfigurationKey.Value =
            switch address.line {
            case .offset(let offset): .number(offset)
            case .name(let name): .text(name)
            }
        return [.init("chip", .text(address.chip)), .init("line", line), .init("activeLow", .flag(address.isActiveLow))]
    }

    /// A line that another program holds is that program's.
    public func switchOffLeftover() throws(DriverFault) { try RequestedLine.switchOffLeftover(address) }
}
