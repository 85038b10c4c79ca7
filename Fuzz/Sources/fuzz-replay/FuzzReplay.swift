// SPDX-License-Identifier: MIT
internal import FoundationEssentials
internal import FuzzTargets
internal import Glibc

/// fuzz-replay [-v] FOLDER...: feeds each target all files of FOLDER/NAME, where NAME is that of the target.
@main
struct FuzzReplay {
    static func main() {
        var folders = Array(CommandLine.arguments.dropFirst())
        let isVerbose = folders.first == "-v"
        if isVerbose { folders.removeFirst() }
        var isEmpty = false
        for target in allTargets {
            var count = 0
            for folder in folders {
                let path = "\(folder)/\(target.name)"
                for name in (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] {
                    guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { continue }
                    if isVerbose { FileHandle.standardErrorLine("\(path)/\(name)") }
                    target.run(Array(data))
                    count += 1
                }
            }
            print("\(target.name): \(count) inputs")
            isEmpty = isEmpty || count == 0
        }
        if isEmpty {
            FileHandle.standardErrorLine("fuzz-replay: a target was fed nothing; are these the folders?")
            exit(1)
        }
    }
}

private enum FileHandle {
    /// Writes at once, so that the last line names the file that ends the process.
    static func standardErrorLine(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
