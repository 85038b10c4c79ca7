// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import Testing

@Suite("The age of sources after a sleep") struct SuspendTests {
    @Test("The time asleep counts together with the time awake", arguments: [(29, 1), (30, 0)] as [(Int64, Int)])
    func sources(asleep: Int64, left: Int) {
        var bench = Bench()
        bench.progress("a", 0.5)
        bench.run(for: .seconds(15))
        bench.take(.slept(.seconds(asleep)))
        bench.run(for: .seconds(15))
        #expect(bench.engine.sourceCount == left)
    }

    @Test("A younger source is forgotten after the rest of its time, and an input begins that again")
    func deadline() {
        var bench = Bench()
        bench.progress("a", 0.5)
        bench.run(for: .seconds(1))
        bench.take(.slept(.seconds(50)))
        #expect(bench.engine.nextDeadline == .zero + .seconds(10))
        bench.progress("a", 0.6)
        bench.run(for: .seconds(59))
        #expect(bench.engine.sourceCount == 1)
        bench.run(for: .seconds(1))
        #expect(bench.engine.sourceCount == 0)
    }
}
