// SPDX-License-Identifier: MIT

/// A fixed number of elements in memory of its own, taken once.
///
/// In place of an array, which the compiler's `@_noAllocation` does not accept on the timing path: a write to one may copy it.
/// Inlinable throughout, for the compiler follows the timing path only where it sees all of it, also in a debug build.
public struct FixedBuffer<Element>: ~Copyable {
    // Unsafe, because nothing else keeps memory of a size chosen at run time without reference counting. Every element
    // is initialized from `init` to `deinit`, every index is checked, and the pointer never leaves.
    @usableFromInline let elements: UnsafeMutableBufferPointer<Element>

    @inlinable public init(repeating element: Element, count: Int) {
        elements = .allocate(capacity: count)
        elements.initialize(repeating: element)
    }

    @inlinable deinit {
        elements.deinitialize()
        elements.deallocate()
    }

    @inlinable public var count: Int { elements.count }

    @inlinable public subscript(index: Int) -> Element {
        get {
            // trap: indices are those of actuators, checked where they come in; beyond the buffer is memory of others.
            precondition(elements.indices.contains(index), "index out of the buffer")
            return elements[index]
        }
        set {
            // trap: indices are those of actuators, checked where they come in; beyond the buffer is memory of others.
            precondition(elements.indices.contains(index), "index out of the buffer")
            elements[index] = newValue
        }
    }

    @inlinable public mutating func swapAt(_ a: Int, _ b: Int) {
        // trap: indices are those of actuators, checked where they come in; beyond the buffer is memory of others.
        precondition(elements.indices.contains(a) && elements.indices.contains(b), "index out of the buffer")
        elements.swapAt(a, b)
    }
}
