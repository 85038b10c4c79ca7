// SPDX-License-Identifier: MIT
public import HapticWire

/// A configuration that was read again, and what is different in it.
public struct ReloadedConfiguration: Sendable {
    let configuration: ServiceConfiguration
    public let result: ReloadResult

    /// Compares all patterns, which takes its time: not for the event loop.
    public init(_ configuration: ServiceConfiguration, replacing inForce: ServiceConfiguration) {
        result = ReloadResult(
            changed: inForce.changes(to: configuration), needsRestart: inForce.needsRestart(for: configuration),
            differences: inForce.differences(to: configuration), isBuiltIn: configuration.file == nil)
        var configuration = configuration
        // It stays as it was at the start, so that each reload names it for as long as the file's is another.
        configuration.parts["socket"] = inForce.parts["socket"]
        self.configuration = configuration
    }
}
