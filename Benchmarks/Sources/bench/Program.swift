// SPDX-License-Identifier: MIT
internal import CHarness
internal import FoundationEssentials
internal import Glibc

/// What went wrong, in a whole sentence.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// CLOCK_MONOTONIC in nanoseconds.
func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

func sleep(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }

/// A program that was started. Its output goes to files, so that nothing ever waits for a reader. It ends with this object.
final class Program {
    let process: pid_t
    private let name: String
    private let outputPath: String
    private let errorPath: String
    private var status: Int32?
    private nonisolated(unsafe) static var started = 0

    /// `path`: of the program. `environment`: all that it has.
    init(_ path: String, _ arguments: [String] = [], environment: [String: String] = [:], in folder: String) throws {
        Self.started += 1
        name = String(path.split(separator: "/").last ?? "program")
        outputPath = "\(folder)/\(name)-\(Self.started).out"
        errorPath = "\(folder)/\(name)-\(Self.started).err"
        var all = environment
        all["PATH"] = all["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        process = withCStrings([path] + arguments) { [outputPath, errorPath] arguments in
            withCStrings(all.map { "\($0)=\($1)" }) { charness_start(path, arguments, $0, outputPath, errorPath) }
        }
        guard process > 0 else { throw Failure("\(name) could not be started: \(String(cString: strerror(-process)))") }
    }

    var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }
    var lines: [Substring] { output.split(separator: "\n") }

    /// Waits for its end. Returns what it printed; throws where it failed.
    func finish(within seconds: Int) throws -> [Substring] {
        let status = end(within: seconds)
        guard status == 0 else { throw Failure("\(name) failed (\(status)): \(errors)") }
        return lines
    }

    /// Its first line, which may take until `seconds` from now.
    func firstLine(within seconds: Int) throws -> Substring {
        let end = now() + Int64(seconds) * 1_000_000_000
        while now() < end {
            let text = output
            if let newline = text.firstIndex(of: "\n") { return text[..<newline] }
            if self.end(within: 0) >= 0 { throw Failure("\(name) has ended: \(errors)") }
            sleep(milliseconds: 2)
        }
        throw Failure("\(name) said nothing within \(seconds) s: \(errors)")
    }

    /// Its exit status; below 0 while it runs.
    private func end(within seconds: Int) -> Int32 {
        if let status { return status }
        let result = charness_wait(process, Int32(seconds) * 1000)
        if result >= 0 { status = result }
        return result
    }

    /// Ends it by SIGTERM, and by SIGKILL where that takes more than 5 s.
    func stop() {
        guard status == nil else { return }
        kill(process, SIGTERM)
        if end(within: 5) < 0 {
            kill(process, SIGKILL)
            _ = end(within: 5)
        }
    }

    deinit { stop() }
}

/// Runs a program to its end; the first line of what it printed, or nil.
func firstLine(of path: String, _ arguments: [String], environment: [String: String] = [:], in folder: String) -> String? {
    guard let program = try? Program(path, arguments, environment: environment, in: folder) else { return nil }
    return (try? program.finish(within: 10))?.first.map(String.init)
}

/// An array of C strings that ends with NULL.
private func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}
