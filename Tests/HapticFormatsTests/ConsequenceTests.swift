// SPDX-License-Identifier: MIT
import HapticFormats
import HapticJSON
import Testing

@Suite("What only follows from a mistake is not reported beside it")
struct ConsequenceTests {
    private static func clip(_ amplitude: String, version: Int = 1) -> String {
        #"{"version":{"major":\#(version)},"signals":{"continuous":{"envelopes":{"amplitude":[\#(amplitude)]}}}}"#
    }

    private static func hjif(_ band: String) -> String {
        #"{"perceptions":[{"perception_modality":"Vibrotactile","channels":[{"bands":[\#(band)]}]}]}"#
    }

    private static func transient(_ keyframes: String, type: String = "Transient") -> String {
        hjif(
            #"{"band_type":"\#(type)","effects":[{"effect_type":"Basis","position":0,"keyframes":[\#(keyframes)]}]}"#)
    }

    private static let curve = hjif(
        #"{"band_type":"Curve","curve_type":"Linear","effects":[{"effect_type":"Basis","position":0,"keyframes":[{"amplitude_modulation":1},{"relative_position":"late","amplitude_modulation":1}]}]}"#
    )

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
        (
            "x.hjif", transient(#"{"amplitude_modulation":"strong"}"#),
            "perceptions[0].channels[0].bands[0].effects[0].keyframes[0].amplitude_modulation"
        ),
        (
            "x.hjif", transient(#"{"relative_position":5}"#, type: "Transint"),
            "perceptions[0].channels[0].bands[0].band_type"
        ),
        ("x.hjif", curve, "perceptions[0].channels[0].bands[0].effects[0].keyframes[1].relative_position"),
        ("x.hjif", hjif("7"), "perceptions[0].channels[0].bands[0]"),
    ]

    @Test("In the files of others", arguments: cases)
    func others(file: String, text: String, path: String) {
        #expect(diagnostics(of: text, file: file).map(\.path) == [path])
    }
}
