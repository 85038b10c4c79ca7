// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `hapticctl check-config` accepts every file in configs/boards as it ships.
@Suite("Configurations of boards, as hapticctl sees them")
struct BoardTests {
    private static let folder = package.appendingPathComponent("configs/boards")

    private static func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }.sorted()
    }

    @Test("Every board that is promised has its file")
    func promised() throws {
        let missing = Set([
            "raspberry-pi-3.yaml", "raspberry-pi-4.yaml", "raspberry-pi-5.yaml", "raspberry-pi-zero-2w.yaml",
            "beaglebone-black.yaml", "gamepad.yaml",
        ]).subtracting(try Self.files())
        #expect(missing.isEmpty)
    }

    @Test("Every file of a board is accepted, and named as ok")
    func accepted() throws {
        for file in try Self.files() {
            let ended = try runCtl(["check-config", Self.folder.appendingPathComponent(file).path])
            #expect(ended.status == 0, "\(file): \(ended.output)\(ended.errors)")
            #expect(ended.output.contains("\(file): ok, 1 actuator"), "\(ended.output)")
            #expect(ended.errors.isEmpty)
        }
    }
}
