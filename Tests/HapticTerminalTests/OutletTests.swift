// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import HapticTerminal

@Suite("Writing to an output")
struct OutletTests {
    @Test("A program that has to end abandons a reader that does not read, even if writing would block")
    func endGivesAReader() throws {
        for flags in [0, O_NONBLOCK] {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            try #require(fcntl(ends[1], F_SETFL, flags) == 0)
            #expect(throws: Failure.self) {
                try Outlet.write([UInt8](repeating: 0, count: 1 << 20), to: ends[1], drainTimeout: 0) { true }
            }
            // What there was room for.
            var count: Int32 = 0
            #expect(ioctl(ends[0], UInt(FIONREAD), &count) == 0)
            #expect((1..<(1 << 20)).contains(count))
        }
    }

    @Test("A write that fails says why")
    func cannotBeWritten() throws {
        let failure = Failure("cannot write the output: Bad file descriptor; give it another place", code: .unwritable)
        #expect(throws: failure) { try Outlet.write([1], to: 1_000_000) }
    }
}
