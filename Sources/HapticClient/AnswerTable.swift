// SPDX-License-Identifier: MIT
internal import HapticWire

/// The requests of a connection without an answer, and the answers that the program has not taken.
struct AnswerTable {
    typealias Reply = Result<ServerLine.Answer, WireError>

    private var lastID: Int64 = 0
    private var awaited: Set<RequestID> = []
    private var replies: [RequestID: Reply] = [:]

    var count: Int { awaited.count + replies.count }

    /// The ids of the next `count` requests. Throws `tooManyUntaken` if the table has no room for their answers.
    mutating func makeIDs(_ count: Int) throws(ClientError) -> [RequestID] {
        guard self.count + count <= HapticClient.mostUntaken else { throw .tooManyUntaken }
        let ids = (0..<Int64(count)).map { RequestID.integer(lastID + 1 + $0) }
        lastID += Int64(count)
        return ids
    }

    /// Expects answers to requests that have been sent.
    mutating func expect(_ ids: [RequestID]) { awaited.formUnion(ids) }

    /// Stores an answer, unless nothing expects it.
    mutating func store(_ reply: Reply, for id: RequestID) {
        if awaited.remove(id) != nil { replies[id] = reply }
    }

    /// Removes and returns the answer to `id`; `nil` if it has not come.
    mutating func take(_ id: RequestID) -> Reply? { replies.removeValue(forKey: id) }

    mutating func giveUp(_ id: RequestID) {
        awaited.remove(id)
        replies[id] = nil
    }
}
