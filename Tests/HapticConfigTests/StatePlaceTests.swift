// SPDX-License-Identifier: MIT
import HapticConfig
import Testing

@Suite("The place of settings")
struct StatePlaceTests {
    @Test(
        "The folder is the first of: the option, systemd's folder, none in a simulation, root's, the user's",
        arguments: [
            ("here", true, ["STATE_DIRECTORY": "/s"], true, "here"), ("none", false, ["STATE_DIRECTORY": "/s"], true, nil),
            (nil, true, ["STATE_DIRECTORY": "/s:/t"], true, "/s"), (nil, true, ["HOME": "/h"], true, nil),
            (nil, false, ["HOME": "/h", "STATE_DIRECTORY": ""], true, "/var/lib/hapticd"),
            (nil, false, ["HOME": "/h", "XDG_STATE_HOME": "/x"], false, "/x/hapticd"),
            (nil, false, ["HOME": "/h", "XDG_STATE_HOME": "x"], false, "/h/.local/state/hapticd"),
            (nil, false, ["HOME": "/h", "XDG_STATE_HOME": ""], false, "/h/.local/state/hapticd"),
        ] as [(String?, Bool, [String: String], Bool, String?)])
    func order(explicit: String?, isSimulated: Bool, environment: [String: String], isRoot: Bool, folder: String?) throws {
        let place = try StatePlace.choose(explicit: explicit, isSimulated: isSimulated, environment: environment, isRoot: isRoot)
        #expect(place?.folder == folder)
    }

    @Test("Missing parents are created only for a user's own folder")
    func parents() throws {
        func makesParents(_ environment: [String: String], explicit: String? = nil, isRoot: Bool = false) throws -> Bool? {
            try StatePlace.choose(explicit: explicit, isSimulated: false, environment: environment, isRoot: isRoot)?.makesParents
        }
        #expect(try (makesParents(["HOME": "/h"]), makesParents(["XDG_STATE_HOME": "/x"])) == (true, true))
        #expect(try (makesParents(["STATE_DIRECTORY": "/s"]), makesParents([:], isRoot: true)) == (false, false))
        #expect(try makesParents([:], explicit: "/e") == false)
    }

    @Test("The error about a missing place says what to do")
    func nowhere() {
        #expect(throws: StateFailure.noPlace) {
            try StatePlace.choose(explicit: nil, isSimulated: false, environment: [:], isRoot: false)
        }
    }
}
