// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import HapticYAML

@Suite struct FileAccessTests {
    @Test("Only regular files are read, and only up to a bound")
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
        "A service follows no symbolic link in a directory; a person's own programs do"
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
        "A service reads no hard link in a directory that others may write, and reads one elsewhere"
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

    @Test("A service reads only files of root or of its own user, in directories of these")
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

    @Test("A service reads nothing from a directory that everybody may write, unless its sticky bit is set")
    func everybodys() throws {
        try inFolder {
            chmod(folder, 0o777)
            #expect(failure(service, "mine.yaml") == "everybody may write in it; take that away with `chmod o-w`")
            chmod(folder, 0o1777)
            #expect(failure(service, "mine.yaml") == nil)
        }
    }

    @Test(
        "A program reads its own file only if nobody else can have written it; a missing file is no failure"
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
        "Root reads the file of a service's user in a directory that nobody else may write", .enabled(if: geteuid() == 0))
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
