// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import HapticThreads
import TestSupport
import Testing

@Suite("Waiting for descriptors that others read") struct DescriptorBellTests {
    private let ends: (read: Int32, write: Int32)
    private let bell: DescriptorBell

    init() throws {
        var pipe: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        ends = (pipe[0], pipe[1])
        bell = try #require(DescriptorBell(name: "test-bell"))
    }

    private var isRung: Bool {
        var ring = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&ring, 1, 0) == 1
    }

    private func reported() throws -> [DescriptorBell.Ready] {
        try wait(for: "the bell") { isRung }
        return bell.take()
    }

    /// Expects that a new descriptor is reported, as 9, before any other.
    private func expectNothingElse() throws {
        var pipe: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        defer { for end in pipe { close(end) } }
        #expect(bell.add(pipe[0], token: 9))
        write(pipe[1], "c", 1)
        #expect(try reported() == [.init(token: 9, hasEnded: false)])
        bell.remove(pipe[0])
    }

    @Test("A descriptor with something to read is reported once for each wait")
    func once() throws {
        defer { for end in [ends.read, ends.write] { close(end) } }
        #expect(bell.add(ends.read, token: 7))
        write(ends.write, "a", 1)
        #expect(try reported() == [.init(token: 7, hasEnded: false)])
        write(ends.write, "b", 1)
        try expectNothingElse()
        bell.rearm(ends.read, token: 7)
        #expect(try reported() == [.init(token: 7, hasEnded: false)])
    }

    @Test("The end of a descriptor is reported")
    func end() throws {
        defer { close(ends.read) }
        #expect(bell.add(ends.read, token: 7))
        close(ends.write)
        #expect(try reported() == [.init(token: 7, hasEnded: true)])
    }

    @Test("A descriptor that was removed is not reported")
    func removed() throws {
        defer { for end in [ends.read, ends.write] { close(end) } }
        #expect(bell.add(ends.read, token: 7))
        bell.remove(ends.read)
        write(ends.write, "a", 1)
        try expectNothingElse()
    }

    @Test("A descriptor that cannot be waited for is refused")
    func refused() {
        #expect(!bell.add(-1, token: 1))
        for end in [ends.read, ends.write] { close(end) }
    }
}

@Suite struct DoorbellTests {
    @Test("A doorbell that is rung once more than it can count restarts from 0, and wakes the waiting thread")
    func wraps() {
        let doorbell = Doorbell(count: .max)
        let before = doorbell.count
        doorbell.ring()
        let after = doorbell.count
        #expect((before, after) == (.max, 0))
        doorbell.wait(after: before, until: .distantFuture)
    }
}
