// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticTerminal
import TestSupport
import Testing

@testable import hapticctl

@Suite("The signals of a command that hapticctl runs")
struct CommandSignalsTests {
    @Test("Every signal is passed on, except those that no program can take, and those that are about hapticctl itself")
    func list() {
        let own = [
            SIGKILL, SIGSTOP, SIGCHLD, SIGPIPE, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGSTKFLT, SIGXCPU,
            SIGXFSZ,
        ]
        let all = Array(1...31) + Array(__libc_current_sigrtmin()...64)
        #expect(CommandSignals.passedOn.sorted() == all.filter { !own.contains($0) })
    }

    @Test(
        "A signal of the terminal has gone to the command already; each other one is passed on",
        arguments: [
            (SIGINT, SI_USER, true), (SIGINT, SI_KERNEL, false), (SIGTSTP, SI_KERNEL, false), (SIGWINCH, SI_KERNEL, false),
            (SIGTSTP, SI_TKILL, true), (SIGALRM, SI_KERNEL, true), (SIGHUP, SI_KERNEL, true), (SIGCHLD, SI_USER, false),
        ].map { ($0.0, Int32($0.1), $0.2) } as [(Int32, Int32, Bool)])
    func passedOn(signal: Int32, code: Int32, isPassedOn: Bool) {
        #expect(CommandSignals.isPassedOn(signal, code: code) == isPassedOn)
    }

    @Test(
        "hapticctl stops with its command by job control, and by SIGSTOP if a shell waits for both",
        arguments: [
            (SIGTSTP, false, true), (SIGTTIN, false, true), (SIGTTOU, true, true), (SIGSTOP, true, true), (SIGSTOP, false, false),
        ])
    func stops(signal: Int32, isInForeground: Bool, stopsBoth: Bool) {
        let event = Child.Event(waited: signal << 8 | 0x7f, wasAsked: false, isInForeground: isInForeground)
        #expect(event == (stopsBoth ? .stopped(by: signal) : nil))
    }

    @Test("A command that was continued has neither ended nor stopped before its end")
    func ending() {
        let event = Child.Event(waited: 3 << 8, wasAsked: true, isInForeground: true)
        #expect(event == .ended(Child.Ending(waited: 3 << 8, wasAsked: true)))
    }

    @Test("A command is a path, or the first file of its name in PATH that may be run")
    func paths() throws {
        try withFolder { folder in
            let files = FileManager.default
            for name in ["plain", "program", "folder/program"] {
                let directory = "\(folder)/\(name)".split(separator: "/").dropLast().joined(separator: "/")
                try files.createDirectory(atPath: "/\(directory)", withIntermediateDirectories: true)
                try #require(files.createFile(atPath: "\(folder)/\(name)", contents: nil))
                #expect(chmod("\(folder)/\(name)", name == "plain" ? 0o644 : 0o755) == 0)
            }
            let folders = "/no/such:\(folder):\(folder)/folder"
            #expect(ExecutableFile.path(of: "program", folders: folders) == "\(folder)/program")
            #expect(ExecutableFile.path(of: "plain", folders: folders) == nil)
            #expect(ExecutableFile.path(of: "folder", folders: folders) == nil)
            #expect(ExecutableFile.path(of: "./program", folders: folders) == "./program")
            #expect(ExecutableFile.path(of: "sh", folders: nil) == "/bin/sh")
        }
    }

    @Test("The error for a command distinguishes a missing file, a missing interpreter and a folder")
    func failures() throws {
        func failure(_ program: String, _ code: Int32) -> (status: Int32, text: String) {
            let failure = Child.failure(of: program, code)
            return (failure.status, failure.message)
        }
        #expect(
            failure("/no/such", ENOENT)
                == (127, "there is no command `/no/such`; correct its name, or give its path"))
        try withFile("script", "#!/no/such/interpreter\n") { path in
            let (status, text) = failure(path, ENOENT)
            #expect(status == 127)
            #expect(text.hasPrefix("cannot run `\(path)`: the interpreter of its `#!` line"), "\(text)")
        }
        #expect(failure("/tmp", EACCES) == (126, "cannot run `/tmp`: Is a directory; name a program that this user may run"))
        try withFile("plain", "") { path in
            #expect(
                failure(path, EACCES)
                    == (126, "cannot run `\(path)`: Permission denied; name a program that this user may run"))
        }
        #expect(
            failure("/bin/sh", E2BIG)
                == (126, "cannot run `/bin/sh`: Argument list too long; give it fewer arguments, or try again later"))
    }
}
