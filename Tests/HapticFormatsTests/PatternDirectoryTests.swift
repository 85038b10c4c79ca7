// SPDX-License-Identifier: MIT
import HapticCore
import HapticDocuments
import HapticFormats
import HapticJSON
import HapticPatterns
import Testing

@Suite struct PatternDirectoryTests {
    private func memory(_ files: [String: String]) -> FileAccess {
        FileAccess(
            read: { _, _ throws(FileAccess.Failure) in throw FileAccess.Failure("not to be read") },
            directory: { path throws(FileAccess.Failure) in
                FileAccess.Directory(names: files.keys.map { String($0.dropFirst(3)) } + ["gone.yaml"]) {
                    name, _ throws(FileAccess.Failure) in
                    guard let text = files["\(path)/\(name)"] else { throw FileAccess.Failure("it is gone") }
                    return Array(text.utf8)
                }
            })
    }

    private func pattern(_ name: String) -> String {
        "version: 1\nname: \(name)\ntracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]"
    }

    @Test("All pattern files are read, in the order of their names")
    func order() throws {
        let files = memory([
            "/p/b.yaml": pattern("b"), "/p/a.yaml": pattern("a"), "/p/c.yaml": pattern("x"), "/p/.d.yaml": "?", "/p/e.json": "?",
            "/p/f.ahap": #"{"Pattern":[{"Event":{"EventType":"HapticTransient"}},{"Event":{"EventType":"AudioCustom"}}]}"#,
            "/p/g.ahap": "?", "/p/g.yaml": "?",
        ])
        let directory = try PatternDirectory(path: "/p", files: files)
        #expect(directory.patterns.map(\.name) == ["a", "b", "f"])
        #expect(directory.names == ["a", "b", "c", "f", "g", "gone"])
        #expect(
            directory.diagnostics.map(\.description) == [
                "/p/c.yaml:2:7: name: the name `x` and the file `c.yaml` differ; give both the same name",
                "/p/g.ahap: `g.yaml` holds the pattern `g`, too; keep one of these files",
                "/p/gone.yaml: cannot read the file: it is gone",
            ])
        #expect(
            directory.notes.map(\.description) == [
                "/p/f.ahap:1:64: Pattern[1].Event: left out: the sound, an event of the type `AudioCustom`; no sounds are played"
            ])
    }

    @Test("A directory of too many files is refused")
    func tooMany() {
        let files = FileAccess(
            read: { _, _ throws(FileAccess.Failure) in throw FileAccess.Failure("not to be read") },
            directory: { _ throws(FileAccess.Failure) in
                FileAccess.Directory(names: (0...1024).map { "\($0).yaml" }) { _, _ throws(FileAccess.Failure) in
                    throw FileAccess.Failure("not to be read")
                }
            })
        #expect(throws: FileAccess.Failure("it has 1025 pattern files; at most 1024 are read")) {
            try PatternDirectory(path: "/p", files: files)
        }
    }
}
