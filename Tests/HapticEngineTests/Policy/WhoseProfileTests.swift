// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Whose word the profile is")
struct WhoseProfileTests {
    @Test("A profile that a client has set outlasts a reload with another one, and so does what plays under it")
    func reload() {
        var bench = Bench()
        bench.send([.set(.quiet)])
        let alarm = bench.play("endless", .alarm)
        bench.run(until: .ms(100))
        bench.take(.configuration(.bench(profile: .silent)))
        #expect((bench.engine.profile, bench.engine.settings.profileLayer) == (.quiet, .settings))
        bench.run(for: .seconds(1))
        #expect(bench.engine.playback(on: ActuatorIndex(0)) == alarm.playback)
        bench.send([.set(.silent)])
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.reason) == [.profile])
    }

    @Test("A profile that a client has set outlasts a reload with other actuators, too")
    func otherActuators() {
        var bench = Bench()
        bench.send([.set(.quiet)])
        bench.take(.configuration(.bench(actuators: [EngineActuator(name: "other")], profile: .silent)))
        #expect(bench.engine.profile == .quiet)
    }

    @Test("Where no client has set one, the profile changes with the configuration, and ends what it wants nothing of")
    func configured() {
        var bench = Bench()
        bench.play("long", .interaction)
        bench.run(until: .ms(100))
        bench.take(.configuration(.bench(profile: .quiet)))
        #expect((bench.engine.profile, bench.engine.settings.profileLayer) == (.quiet, .configuration))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.reason) == [.profile])
    }
}
