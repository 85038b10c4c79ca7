// SPDX-License-Identifier: MIT
import HapticFormats
import HapticJSON
import Testing

@Suite("What only follows from a mistake is not reported beside it")
struct ConsequenceTests {
    private static func clip(_ amplitude: String, version: Int = 1) -> String {
        #"{"version":{"major":\#(version)},"signals":{"continuous":{"envelopes":{"amplitude":[\#(amplitude)]}}}}"#
    }

    /// By the file, where its only mistake is.
    static let cases: [(file: String, text: String, path: String)] = [
        (
            "x.haptic", clip(#"{"time":0,"amplitude":0.5},{"time":"late","amplitude":0.5}"#),
            "signals.continuous.envelopes.amplitude[1].time"
        ),
        (
            "x.haptic", clip(#"{"time":0.1,"amplitude":0.5},{"time":"late","amplitude":0.5},{"time":1,"amplitude":0}"#),
            "signals.continuous.envelopes.amplitude[1].time"
        ),
        ("x.haptic", clip(#"{"time":0}"#), "signals.continuous.envelopes.amplitude[0]"),
        (
            "x.haptic", clip(#"{"time":0,"amplitude":0.5,"emphasis":{"amplitude":2,"frequency":1}}"#),
            "signals.continuous.envelopes.amplitude[0].emphasis.amplitude"
        ),
        ("x.haptic", clip(#"{"time":0,"amplitude":1}"#, version: 2), "version.major"),
    ]

    /// Of our own: what follows the name.
    static let ours: [(text: String, path: String)] = [
        ("trakcs: []", "trakcs"),
        ("tracks: [{ keyframs: [] }]", "tracks[0].keyframs"),
        ("phases: [{ usee: soft }]", "phases[0].usee"),
        ("phases: [{ use: soft, untli: released, upTo: 3s }]", "phases[0].untli"),
        ("compose: [{ use: soft, repat: 3, every: 100ms }]", "compose[0].repat"),
        ("compose: [{ use: soft, repeat: 0 }]", "compose[0].repeat"),
        ("compose: [{ use: soft, every: 0ms }]", "compose[0].every"),
        ("compose: [{ use: soft }]\ntransition: { respons: 0.2, dampingFraction: 0.8 }", "transition.respons"),
    ]

    @Test("In our own files", arguments: ours)
    func inOurs(text: String, path: String) {
        #expect(diagnostics(of: "version: 1\nname: x\n\(text)\n", file: "x.yaml").map(\.path) == [path])
    }

    @Test("A key that nobody could mean does not hide what is missing")
    func unrelated() {
        let found = diagnostics(of: "version: 1\nname: x\nphases: [{ zzzzzzzz: 1 }]\n", file: "x.yaml")
        #expect(found.map(\.path) == ["phases[0]", "phases[0].zzzzzzzz"])
    }

    @Test("In the files of others", arguments: cases)
    func others(file: String, text: String, path: String) {
        #expect(diagnostics(of: text, file: file).map(\.path) == [path])
    }
}
