// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import Testing

@testable import HapticFormats

@Suite struct ClosestMatchTests {
    @Test(
        "A mistyped name has the right one as its suggestion",
        arguments: [
            ("patern", "pattern"), ("sofft", "soft"), ("tikc", "tick"), ("SUCCESS", "success"), ("heavi", "heavy"),
            ("succes", "success"),
            ("sucess", "success"), ("tck", "tick"),
        ])
    func typos(text: String, meant: String) {
        #expect(closestMatch(to: text, in: ["pattern", "soft", "tick", "success", "heavy", "release"]) == meant)
    }

    @Test(
        "A text that is far from everything has no suggestion",
        arguments: ["", "xyz", "progress", String(repeating: "a", count: 10_000)])
    func farTexts(text: String) {
        #expect(closestMatch(to: text, in: ["pattern", "soft", "tick", ""]) == nil)
    }

    @Test("The nearest name wins")
    func nearest() {
        #expect(closestMatch(to: "gestureEnt", in: ["gestureStart", "gestureEnd"]) == "gestureEnd")
    }

    @Test("Where no name is near all are listed")
    func list() {
        #expect(unknownMessage("key", "zzz", candidates: ["a", "b"]) == "unknown key `zzz`; there is `a`, `b`")
        #expect(unknownMessage("key", "zzz", candidates: []) == "unknown key `zzz`; there is none")
        let many = (100..<145).map { "\($0)" }
        #expect(unknownMessage("key", "zzz", candidates: many).hasSuffix("`139` and 5 more"))
    }
}

@Suite struct UnitTests {
    @Test(
        "A duration is read with its unit",
        arguments: [
            ("20ms", 20_000_000), ("1.6s", 1_600_000_000), ("250us", 250_000), ("40ns", 40), ("0s", 0), ("-5ms", -5_000_000),
            (".5s", 500_000_000), ("1e3ms", 1_000_000_000), ("0.1ns", 0),
        ])
    func durations(text: String, nanoseconds: Int64) {
        #expect(Nanoseconds(unitText: text) == Nanoseconds(nanoseconds))
    }

    @Test(
        "A text that is no duration is not read",
        arguments: ["20", "ms", "", "20 ms", "20m", "1.6", "infs", "nans", "1e400s", "0x10ms", "20msms", "４ms", "1e18s"])
    func noDurations(text: String) { #expect(Nanoseconds(unitText: text) == nil) }

    @Test(
        "A frequency is read as its period",
        arguments: [("200Hz", 5_000_000 as Int64), ("20kHz", 50_000), ("0.5Hz", 2_000_000_000)])
    func frequencies(text: String, nanoseconds: Int64) {
        #expect(Nanoseconds(periodOfFrequency: text) == Nanoseconds(nanoseconds))
    }

    @Test(
        "A text that is no frequency is not read",
        arguments: ["0Hz", "-1Hz", "200", "Hz", "200hz", "1e-300Hz"])
    func noFrequencies(text: String) { #expect(Nanoseconds(periodOfFrequency: text) == nil) }

    @Test(
        "A share is read as a number or in percent",
        arguments: [("0.4", 0.4), ("40%", 0.4), ("100%", 1), ("0", 0), ("7%", 0.07)])
    func shares(text: String, value: Double) {
        #expect(Share(shareText: text)?.value == value)
    }

    @Test(
        "A text that is no share is not read",
        arguments: ["1.1", "101%", "-1%", "%", "", "nan", "40 %"])
    func noShares(text: String) { #expect(Share(shareText: text) == nil) }
}

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
            "/p/b.yaml": pattern("b"), "/p/a.yaml": pattern("a"), "/p/c.yaml": pattern("x"), "/p/.d.yaml": "?", "/p/e.ahap": "?",
        ])
        let directory = try PatternDirectory(path: "/p", files: files)
        #expect(directory.patterns.map(\.name) == ["a", "b"])
        #expect(directory.names == ["a", "b", "c", "gone"])
        #expect(
            directory.diagnostics.map(\.description) == [
                "/p/c.yaml:2:7: name: the name `x` and the file `c.yaml` differ; give both the same name",
                "/p/gone.yaml: cannot read the file: it is gone",
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

    @Test("The disk is read within bounds, and of it only files")
    func disk() throws {
        #expect(try FileAccess.disk.read(#filePath, 1 << 20).starts(with: Array("// SPDX".utf8)))
        #expect(try FileAccess.disk.directory("/").names.contains("etc"))
        #expect(throws: FileAccess.Failure("it has more than 10 bytes")) { try FileAccess.disk.read(#filePath, 10) }
        #expect(throws: FileAccess.Failure("it is not a regular file")) { try FileAccess.disk.read("/dev/zero", 10) }
        #expect(throws: FileAccess.Failure("it is not a regular file")) { try FileAccess.disk.read("/", 10) }
        #expect(throws: FileAccess.Failure("No such file or directory")) { try FileAccess.disk.read("/no/such/file", 10) }
        #expect(throws: FileAccess.Failure("No such file or directory")) { try FileAccess.disk.directory("/no/such/directory") }
    }
}

@Suite struct FileTrustTests {
    private let folder = "/tmp/hapticd-files-\(UInt32.random(in: .min ... .max))"
    /// Who the service runs as, and somebody who is neither that nor root. Only root can give files away; for others it is the
    /// service that is somebody else.
    private let user = geteuid()
    private let other: uid_t = geteuid() == 0 ? 4242 : geteuid()
    private var service: FileAccess { .service(of: user) }
    private var foreignService: FileAccess { .service(of: geteuid() == 0 ? 0 : geteuid() + 1) }

    /// Runs `body` with a directory that has a file `mine.yaml`, and is removed afterwards.
    private func inFolder(_ body: () throws -> Void) throws {
        try #require(mkdir(folder, 0o700) == 0)
        defer {
            for name in ["mine.yaml", "link.yaml"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        let file = open("\(folder)/mine.yaml", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        _ = write(file, "text", 4)
        close(file)
        try body()
    }

    private func failure(_ files: FileAccess, _ name: String) -> String? {
        do throws(FileAccess.Failure) {
            _ = try files.directory(folder).read(name, 100)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "A service follows no link in a directory, so nobody can have it read, and quote, what only it may read; a person's own programs follow theirs"
    )
    func links() throws {
        try inFolder {
            symlink("/etc/hostname", "\(folder)/link.yaml")
            #expect(failure(service, "link.yaml") == "it is a symbolic link; put the file itself there")
            #expect(failure(.disk, "link.yaml") == nil)
            #expect(failure(service, "mine.yaml") == nil)
        }
    }

    @Test(
        "A service takes no hard link where others may write, for they could name any file of its own so; elsewhere only it can have made one"
    )
    func hardLinks() throws {
        try inFolder {
            #expect(link("\(folder)/mine.yaml", "\(folder)/link.yaml") == 0)
            #expect(failure(service, "link.yaml") == nil)
            for mode: mode_t in [0o1777, 0o770] {
                chmod(folder, mode)
                #expect(failure(service, "link.yaml") == "it is a hard link: it has 2 names; put a copy there")
                #expect(failure(.disk, "link.yaml") == nil)
            }
            unlink("\(folder)/link.yaml")
            #expect(failure(service, "mine.yaml") == nil)
        }
    }

    @Test("A service reads no file that is neither root's nor its own user's, and nothing of such a directory")
    func owners() throws {
        try inFolder {
            if geteuid() == 0 { chown("\(folder)/mine.yaml", other, gid_t.max) }
            #expect(failure(foreignService, "mine.yaml")?.hasPrefix("it belongs to the user \(other), ") == true)
            #expect(failure(.disk, "mine.yaml") == nil)
            if geteuid() == 0 { chown("\(folder)/mine.yaml", 0, gid_t.max) }
            if geteuid() == 0 { chown(folder, other, gid_t.max) }
            #expect(failure(foreignService, "mine.yaml")?.hasPrefix("it belongs to the user \(other), ") == true)
        }
    }

    @Test("A service reads nothing of a directory that everybody may write, unless each file in it is its owner's")
    func everybodys() throws {
        try inFolder {
            chmod(folder, 0o777)
            #expect(failure(service, "mine.yaml") == "everybody may write in it; take that away with `chmod o-w`")
            chmod(folder, 0o1777)
            #expect(failure(service, "mine.yaml") == nil)
        }
    }

    @Test(
        "What a program has left for itself is read where nobody else can have written it; where there is nothing, that is no failure"
    )
    func ownFile() throws {
        try inFolder { () throws in
            let path = "\(folder)/mine.yaml"
            #expect(try FileAccess.ownFile(path, limit: 4) == Array("text".utf8))
            #expect(throws: FileAccess.Failure("it has more than 3 bytes")) { try FileAccess.ownFile(path, limit: 3) }
            #expect(try FileAccess.ownFile(path + ".not", limit: 4) == nil)
            symlink(path, "\(folder)/link.yaml")
            #expect(throws: FileAccess.Failure("it is a symbolic link; put the file itself there")) {
                try FileAccess.ownFile("\(folder)/link.yaml", limit: 4)
            }
            chmod(path, 0o620)
            #expect(throws: FileAccess.Failure("others may write it; remove it")) { try FileAccess.ownFile(path, limit: 4) }
            chmod(path, 0o600)
            unlink("\(folder)/link.yaml")
            #expect(link(path, "\(folder)/link.yaml") == 0)
            #expect(throws: FileAccess.Failure("it is a hard link: it has 2 names; put a copy there")) {
                try FileAccess.ownFile(path, limit: 4)
            }
        }
    }

    @Test(
        "Root reads what a service's user has left in a directory in which nobody else may write", .enabled(if: geteuid() == 0))
    func ownFileOfAService() throws {
        try inFolder { () throws in
            let path = "\(folder)/mine.yaml"
            let foreign =
                "it belongs to the user \(other), and only what belongs to root or to the user that this runs as (0) is read"
            chown(path, other, gid_t.max)
            #expect(throws: FileAccess.Failure(foreign)) { try FileAccess.ownFile(path, limit: 4) }
            chown(folder, other, gid_t.max)
            #expect(try FileAccess.ownFile(path, limit: 4) == Array("text".utf8))
            chmod(folder, 0o770)
            #expect(throws: FileAccess.Failure(foreign)) { try FileAccess.ownFile(path, limit: 4) }
        }
    }
}
