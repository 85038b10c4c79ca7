// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import HapticWire
import Testing

/// What a client reads may come from anyone who has its socket.
@Suite("A line of a daemon")
struct ServerLineTests {
    private func ending(atNs: String, playback: String = "1") throws -> EndingResult? {
        let line = """
            {"jsonrpc":"2.0","method":"playback","params":{"playback":\(playback),"ended":"completed","reason":null,"atNs":\(atNs)}}
            """
        guard case .notice(.playback(let ending)) = try ServerLine(Array(line.utf8)) else { return nil }
        return ending
    }

    @Test(
        "A number that cannot be calculated with is refused",
        arguments: ["9223372036854775807", "-9223372036854775808", "1e308", "1e400", "0.5", "1152921504606846977"])
    func numbers(number: String) {
        #expect(throws: WireError.self) { try ending(atNs: number) }
        #expect(throws: WireError.self) { try ending(atNs: "1", playback: "-1") }
    }

    @Test("Instants of a machine that is up for years are understood")
    func instants() throws {
        #expect(try ending(atNs: "1000000000000000000")?.atNs == 1_000_000_000_000_000_000)
    }

    @Test("An answer is decoded as it was written")
    func answer() throws {
        let line = #"{"jsonrpc":"2.0","id":"a","result":{"patterns":["soft","ä"],"actuators":[],"readyForMs":0.5,"new":1}}"#
        guard case .answer(.string("a"), let answer) = try ServerLine(Array(line.utf8)) else { return #expect(Bool(false)) }
        let expected = PrepareResult(patterns: ["soft", "ä"], actuators: [], readyForMs: 0.5)
        #expect(try answer.result(as: PrepareResult.self) == expected)
        #expect(throws: WireError.self) { try answer.result(as: CancelResult.self) }
    }

    @Test("The answers to a batch are those of its requests, and nothing lies deeper")
    func batch() throws {
        let first = #"{"jsonrpc":"2.0","id":1,"result":{"cancelled":1}}"#
        let second = #"{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"},"id":2}"#
        guard case .batch(let answers) = try ServerLine(Array("[\(first),\(second)]".utf8)), answers.count == 2,
            case .answer(.integer(1), let answer) = answers[0], case .refusal(.integer(2), let error) = answers[1]
        else { return #expect(Bool(false)) }
        #expect(try (answer.result(as: CancelResult.self).cancelled, error.message) == (1, "no"))
        #expect(throws: WireError.self) { try ServerLine(Array("[[\(first)]]".utf8)) }
        #expect(throws: WireError.self) { try ServerLine(Array("[5]".utf8)) }
    }

    @Test("JSON is printable on one line, and means the same")
    func printable() throws {
        let hostile = "\u{1b}[2J\n\u{7f}\u{9b}\u{202e}\u{2028}\u{200b}\u{e0041} ü日"
        let line = WireWriter.line([hostile])
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        #expect(text.unicodeScalars.allSatisfy { $0.isPrintable })
        #expect(text.contains(#"\u001b[2J\n\u007f\u009b\u202e\u2028\u200b\udb40\udc41 ü日"#))
        #expect(Scalar(json: Array(text.utf8.dropFirst().dropLast())) == .string(Text(hostile)))
    }
}
