// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Whose word the profile is")
struct ProfileInForceTests {
    @Test("A client goes before the configuration, whoever spoke last")
    func precedence() {
        var inForce = ProfileInForce(configured: .full)
        #expect((inForce.profile, inForce.origin) == (.full, .configuration))
        inForce.set(.reduced, by: .configuration)
        #expect((inForce.profile, inForce.origin) == (.reduced, .configuration))
        inForce.set(.quiet, by: .client)
        #expect((inForce.profile, inForce.origin) == (.quiet, .client))
        inForce.set(.silent, by: .configuration)
        #expect((inForce.profile, inForce.origin) == (.quiet, .client))
        inForce.set(.full, by: .client)
        #expect((inForce.profile, inForce.origin) == (.full, .client))
    }

    @Test("A profile that a client has set outlasts a reload with another one, and so does what plays under it")
    func reload() {
        var bench = Bench()
        bench.send([.setProfile(.quiet)])
        let alarm = bench.play("endless", .alarm)
        bench.run(until: .ms(100))
        bench.take(.configuration(.bench(profile: .silent)))
        #expect((bench.engine.profile, bench.engine.profileInForce.origin) == (.quiet, .client))
        bench.run(for: .seconds(1))
        #expect(bench.engine.playback(on: ActuatorIndex(0)) == alarm.playback)
        bench.send([.setProfile(.silent)])
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.reason) == [.profile])
    }

    @Test("A profile that a client has set outlasts a reload with other actuators, too")
    func otherActuators() {
        var bench = Bench()
        bench.send([.setProfile(.quiet)])
        bench.take(.configuration(.bench(actuators: [EngineActuator(name: "other")], profile: .silent)))
        #expect(bench.engine.profile == .quiet)
    }

    @Test("Where no client has set one, the profile changes with the configuration, and ends what it wants nothing of")
    func configured() {
        var bench = Bench()
        bench.play("long", .interaction)
        bench.run(until: .ms(100))
        bench.take(.configuration(.bench(profile: .quiet)))
        #expect((bench.engine.profile, bench.engine.profileInForce.origin) == (.quiet, .configuration))
        bench.run(for: .seconds(1))
        #expect(bench.ends.map(\.reason) == [.profile])
    }
}
