// SPDX-License-Identifier: MIT
package import HapticCore

/// Receives the orders of a plan, in order.
package protocol OrderSink {
    /// The number of orders that still fit. A level that does not fit is planned again at `Channel.nextDeadline`.
    var free: Int { get }
    /// Orders that cannot wait always fit: the engine bounds their number.
    mutating func append(_ order: ActuationOrder)
}
