// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import TestSupport
import Testing

@Suite struct ConfigurationMistakeTests {
    @Test(
        "Every mistake is reported at once, in the order of lines",
        arguments: ["mistakes/configuration", "mistakes/rules", "mistakes/motors"])
    func mistakesOfFile(name: String) {
        #expect(TextCases.differences(in: name) { mistakes(whole: $0) } == [])
    }

    @Test("A file without a required key is refused")
    func mistakesOfHead() {
        #expect(
            mistakes(whole: "profile: full") == [
                "1:1: the key `version` is missing; write `version: 1`", "1:1: the key `actuators` is missing",
            ])
        #expect(
            mistakes(whole: "version: 2\n\(twoActuators)") == [
                "1:10: version: expected `version: 1`, the only one there is, found the number 2"
            ])
        for empty in ["", "# nothing", "--- # nothing", "null"] {
            let found = mistakes(whole: empty)
            let words = ": there is nothing in it; write an object with keys, or name another file"
            #expect(found.count == 1, "\(found)")
            #expect(found.allSatisfy { $0.hasSuffix(words) }, "\(found)")
        }
    }

    @Test("Mistakes in pattern files come after those of the configuration, and cause no others")
    func mistakesOfPatternFiles() {
        let found = mistakes(
            "patterns: [mine]\nevents: [{ match: a, pattern: broken }, { match: b, pattern: nowhere }]",
            files: ["/etc/mine/broken.yaml": "version: 1\nname: other\ntracks: []", "/etc/mine/.hidden.yaml": "x"])
        #expect(
            found == [
                "4:62: events[1].pattern: unknown pattern `nowhere`; the nearest are `confirm`, `alarm`, `broken`, and `hapticctl patterns` lists all",
                "/etc/mine/broken.yaml:2:7: name: the name `other` and the file `broken.yaml` differ; give both the same name",
                "/etc/mine/broken.yaml:3:9: tracks: 0 entries; 1 to 16 are allowed",
            ])
    }

    @Test("A file that cannot be read is refused with what to do")
    func unreadable() {
        #expect(
            throws: InvalidDocument([
                Diagnostic(
                    file: "/x.yaml",
                    message:
                        "cannot read the configuration: No such file or directory; name a configuration file, of 1 MiB at most")
            ])
        ) {
            try Configuration.load(path: "/x.yaml", files: memory([:]))
        }
    }

    /// After `count` rules with long globs one that another before it takes, and one that is equal to it.
    @Test(
        "Among many long globs an unused rule is found if it equals another, at a bounded cost",
        arguments: [(10, 2), (400, 1)])
    func amongManyLongGlobs(
        count: Int, found: Int
    ) {
        let long = (0..<count).map { "  - { match: '*\(String(repeating: "a*", count: 60))\(1000 + $0)*', pattern: soft }" }
        let rules = ["q*", "qq*", "q*"].map { "  - { match: '\($0)', pattern: soft }" }
        let said = mistakes("events:\n" + (long + rules).joined(separator: "\n"))
        #expect(said.count == found)
        #expect(said.last?.contains("events[\(count + 2)].match: this rule is never used: events[\(count)] (`q*`)") == true)
    }
}
