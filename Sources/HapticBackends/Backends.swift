// SPDX-License-Identifier: MIT

/// The kinds of devices that this program knows.
public enum Backends {
    /// In the order in which they are listed for people. A build without a kind's library has the kind all the same: its driver says
    /// why it cannot be opened.
    public static let all: [any Backend.Type] = [
        SimulatedBackend.self, GPIOBackend.self, PWMBackend.self, EvdevBackend.self, LEDBackend.self,
    ]
}
