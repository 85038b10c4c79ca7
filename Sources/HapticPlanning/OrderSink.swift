// SPDX-License-Identifier: MIT
package import HapticCore

/// Takes the orders that come of planning, in order.
package protocol OrderSink {
    /// So many more of them have room. What can wait is planned again at `Channel.nextDeadline`.
    var free: Int { get }
    /// An order that cannot wait always has room.
    mutating func append(_ order: ActuationOrder)
}
