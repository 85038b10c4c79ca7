// SPDX-License-Identifier: MIT
import Glibc

/// Writes a Swift file that holds the text of files: `EmbedPatterns OUTPUT INPUT…`.
@main
enum EmbedPatterns {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first else { fail("usage: EmbedPatterns OUTPUT INPUT…") }
        var source = """
            // Made by EmbedPatterns from configs/patterns; edit the files there.
            let embeddedPatternFiles: [(name: String, text: String)] = [

            """
        for input in arguments.dropFirst() {
            let name = input.split(separator: "/").last.map(String.init) ?? input
            source += "    (\(literal(name)), \(literal(String(decoding: contents(of: input), as: UTF8.self)))),\n"
        }
        write(source + "]\n", to: output)
    }

    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars { literal += scalar.escaped(asASCII: true) }
        return literal + "\""
    }

    private static func contents(of path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { fail("cannot read \(path): \(String(cString: strerror(errno)))") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return bytes
    }

    private static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "wb") else { fail("cannot write \(path): \(String(cString: strerror(errno)))") }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else { fail("cannot write \(path): \(String(cString: strerror(errno)))") }
    }

    private static func fail(_ message: String) -> Never {
        // Not `stderr`: to Swift it is a shared mutable variable.
        var line = "EmbedPatterns: \(message)\n"
        _ = line.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(1)
    }
}
