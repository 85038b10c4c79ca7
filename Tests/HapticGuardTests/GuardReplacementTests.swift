// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import HapticBackends
import Synchronization
import TestSupport
import Testing

@testable import HapticGuard

/// A guard that is killed, with files in place of those of sysfs.
@Suite struct GuardReplacementTests {
    @Test("A killed guard is replaced, and the new one has the outputs of the old one")
    func replacement() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        _ = try link.hold([place.guarded], device: "light")
        shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        try link.replace()
        #expect(wait { place.isOff }, "the old one has seen it off")
        place.write("1\n")
        #expect(wait { place.isOff }, "it watches from its start on, for the daemon may stop before its next beat")
    }

    @Test("If a killed guard cannot be replaced, there is none until one can be had")
    func noReplacement() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        let set = try link.hold([place.guarded], device: "light")
        shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        #expect(wait { place.isOff })
        try FileManager.default.moveItem(atPath: place.folder, toPath: place.folder + "-away")
        #expect {
            try link.replace()
        } throws: { error in "\(error)".contains("No such file or directory") && "\(error)".contains(place.lock) }
        #expect(!link.isStarted)
        link.release(set)
        try FileManager.default.moveItem(atPath: place.folder + "-away", toPath: place.folder)
        _ = try link.hold([place.guarded], device: "light")
        #expect(link.isStarted)
    }

    @Test("A replacement that starts late has all that the killed guard had")
    func lateReplacement() throws {
        let place = try Place()
        let program = place.folder + "/program"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: daemonProgram)
        let link = place.link(program: program)
        defer { link.end() }
        _ = try link.hold([place.guarded], device: "light")
        shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        #expect(wait { place.isOff })
        try FileManager.default.removeItem(atPath: program)
        #expect(throws: DriverFault.self) { try link.replace() }
        #expect(!link.isStarted)
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: daemonProgram)
        try link.takeOver(device: "another light")
        place.write("1\n")
        link.beat()
        #expect(wait { place.isOff })
    }

    @Test("A new guard is given the output even if the device has closed its own descriptor")
    func closedDescriptor() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        let device = dup(place.output)
        let set = try link.hold([GuardedOutput(descriptor: device, off: Place.zero)], device: "light")
        close(device)
        shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        #expect(wait { place.isOff })
        try link.replace()
        place.write("1\n")
        link.beat()
        #expect(wait { place.isOff })
        link.release(set)
    }

    @Test("A living daemon whose guard was killed keeps its lock, and gets another guard")
    func killedGuardOfALivingDaemon() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        _ = try link.hold([place.guarded], device: "light")
        kill(try guardian(place), SIGKILL)
        #expect(wait { hasEnded(link.lifeline) })
        #expect(wait { holder(place) == nil })
        #expect(GuardLock.takeOver(place.lock) == .daemon)
        #expect(wait { (try? link.replace()) != nil })
        link.beat()
        #expect(wait { place.isOff })
    }
}
