// SPDX-License-Identifier: MIT

/// A fixed number of elements in memory of its own, taken once.
///
/// In place of an array, which the compiler's `@_noAllocation` does not accept on the timing path: a write to one may copy it.
struct FixedBuffer<Element>: ~Copyable {
    // Unsafe, because nothing else keeps memory of a size chosen at run time without reference counting. Every element
    // is initialized from `init` to `deinit`, every index is checked, and the pointer never leaves.
    private let elements: UnsafeMutableBufferPointer<Element>

    init(repeating element: Element, count: Int) {
        elements = .allocate(capacity: count)
        elements.initialize(repeating: element)
    }

    deinit {
        elements.deinitialize()
        elements.deallocate()
    }

    var count: Int { elements.count }

    subscript(index: Int) -> Element {
        get {
            precondition(elements.indices.contains(index), "index out of the buffer")
            return elements[index]
        }
        set {
            precondition(elements.indices.contains(index), "index out of the buffer")
            elements[index] = newValue
        }
    }

    mutating func swapAt(_ a: Int, _ b: Int) {
        precondition(elements.indices.contains(a) && elements.indices.contains(b), "index out of the buffer")
        elements.swapAt(a, b)
    }
}
