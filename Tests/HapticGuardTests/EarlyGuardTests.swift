// SPDX-License-Identifier: MIT
import Foundation
import HapticBackends
import Testing

@testable import HapticGuard

/// A guard that is begun before it is asked for.
@Suite struct EarlyGuardTests {
    @Test("A guard that was begun early is the one that is used, and there is none before it has been asked for")
    func begunEarly() throws {
        let place = try Place()
        let program = place.folder + "/program"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: daemonProgram)
        let link = place.link(program: program)
        defer { link.end() }
        link.begin()
        #expect(!link.isStarted && link.lifeline == -1)
        // Another one could not be started.
        try FileManager.default.removeItem(atPath: program)
        link.begin()
        try link.takeOver(device: "test")
        #expect(link.isStarted && link.lifeline >= 0)
        _ = try link.hold([.zero(descriptor: place.output)], device: "light")
        link.beat()
        #expect(wait { place.isOff })
    }

    @Test("A guard that was begun and not asked for goes at the end")
    func begunInVain() throws {
        let place = try Place()
        let link = place.link()
        link.begin()
        #expect(wait { holder(place) != nil })
        link.end()
        #expect(!link.isStarted && link.lifeline == -1)
        #expect(becomesFree(place))
    }

    @Test("Where the guard that was begun has ended, asking for it throws, and asking again gives another")
    func begunWrongly() throws {
        let place = try Place()
        let program = place.folder + "/program"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: "/bin/false")
        let link = place.link(program: program)
        defer { link.end() }
        link.begin()
        try FileManager.default.removeItem(atPath: program)
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: daemonProgram)
        #expect(throws: DriverFault.self) { try link.takeOver(device: "test") }
        #expect(!link.isStarted && link.lifeline == -1)
        try link.takeOver(device: "test")
        #expect(link.isStarted)
    }

    @Test("Where no guard could be begun, asking for one gives one")
    func notBegun() throws {
        let place = try Place()
        let program = place.folder + "/program"
        let link = place.link(program: program)
        defer { link.end() }
        link.begin()
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: daemonProgram)
        try link.takeOver(device: "test")
        #expect(link.isStarted)
    }

    @Test("A guard that was begun beside that of a living daemon is none")
    func begunBesideAnother() throws {
        let place = try Place()
        let first = place.link()
        defer { first.end() }
        try first.takeOver(device: "test")
        let second = place.link()
        second.begin()
        #expect {
            try second.takeOver(device: "test")
        } throws: {
            "\($0)".contains("the guard of another hapticd")
        }
        #expect(!second.isStarted && second.lifeline == -1)
    }
}
