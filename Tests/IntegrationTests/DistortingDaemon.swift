// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A daemon that lies: stands between clients and a real one, and says other numbers or other texts than that.
final class DistortingDaemon: Sendable {
    /// The false values. They replace the values of their kind in turn, beginning with the first in each line.
    struct Lie: Sendable, CustomTestStringConvertible {
        var areTexts = false
        /// Texts as they stand between quotation marks of JSON.
        let values: [String]

        var testDescription: String { values[0].debugDescription }
    }

    /// What has to stay for a client to go on at all.
    private static let kept: Set<String> = [
        "jsonrpc", "id", "method", "available", "retryAfterMs",
        // Another word than one of these is refused with the whole answer.
        "outcome", "ended", "reason", "profile", "input", "origin", "class", "fault", "kind", "by", "fit", "deciding", "state",
    ]

    let socket: String
    private let listener: FileHandle

    init(before daemon: Daemon, _ lie: Lie) throws {
        socket = daemon.folder.path("lies-\(UInt32.random(in: .min ... .max)).sock")
        listener = try listeningSocket(at: socket)
        let (descriptor, real) = (listener.fileDescriptor, daemon.socket)
        Thread {
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                Thread { Self.serve(client, real, lie) }.start()
            }
        }.start()
    }

    deinit { shutdown(listener.fileDescriptor, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Int32, _ real: String, _ lie: Lie) {
        defer { close(client) }
        guard let connection = try? Connection(to: real) else { return }
        // One thread writes to it, another reads.
        nonisolated(unsafe) let upstream = connection
        let end = DispatchSemaphore(value: 0)
        Thread {
            while let line = try? upstream.readLine() {
                let bytes = distorted(Array(line.utf8), lie) + [10]
                guard send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { break }
            }
            shutdown(client, Int32(SHUT_RDWR))
            end.signal()
        }.start()
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0, (try? upstream.send(bytes: Data(chunk[..<count]))) != nil else { break }
        }
        upstream.halfClose()
        end.wait()
    }

    /// The line with lies in place of the values of their kind.
    private static func distorted(_ line: [UInt8], _ lie: Lie) -> [UInt8] {
        var (result, key, index, count) = ([] as [UInt8], "", 0, 0)
        func next() -> String {
            defer { count += 1 }
            return lie.values[count % lie.values.count]
        }
        while index < line.count {
            let start = index
            switch line[index] {
            case UInt8(ascii: "\""):
                repeat { index += line[index] == UInt8(ascii: "\\") ? 2 : 1 } while line[index] != UInt8(ascii: "\"")
                index += 1
                let isKey = index < line.count && line[index] == UInt8(ascii: ":")
                if isKey { key = String(decoding: line[(start + 1)..<(index - 1)], as: UTF8.self) }
                let isKept = !lie.areTexts || isKey || kept.contains(key)
                result += isKept ? line[start..<index] : Array("\"\(next())\"".utf8)[...]
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                while index < line.count, "+-.0123456789eE".utf8.contains(line[index]) { index += 1 }
                result += lie.areTexts || kept.contains(key) ? line[start..<index] : Array(next().utf8)[...]
            default:
                result.append(line[index])
                index += 1
            }
        }
        return result
    }
}
