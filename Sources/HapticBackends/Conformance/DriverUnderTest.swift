// SPDX-License-Identifier: MIT
public import HapticCore

/// A driver, and what `DriverConformance` needs to judge it.
public struct DriverUnderTest {
    /// Just made, its device present and off.
    public var driver: any ActuatorDriver
    /// An independent witness: what the device does, not what the driver says. Waits until a change has settled,
    /// and gives the mean where the output is modulated. Parts that the device cannot vary are those of `capabilities.fitted`.
    public var output: () -> Level
    /// The longest on-time the driver was made with.
    public var maxOn: Nanoseconds
    /// Makes the device fail until the next `open`. Nil where a test cannot.
    public var breakDevice: (() -> Void)?
    /// How far `output` may be from what was asked for, in intensity and in sharpness.
    public var resolution: Double

    public init(
        driver: any ActuatorDriver, output: @escaping () -> Level, maxOn: Nanoseconds, breakDevice: (() -> Void)? = nil,
        resolution: Double = 0.01
    ) {
        self.driver = driver
        self.output = output
        self.maxOn = maxOn
        self.breakDevice = breakDevice
        self.resolution = resolution
    }
}
