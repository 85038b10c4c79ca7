// SPDX-License-Identifier: MIT

extension PresentParams {
    /// The same set in as many parts as lines need, in their order: all but the last go on. What `feedback` says is said with the last,
    /// for that alone is felt.
    public func parts() -> [PresentParams] {
        var blank = self
        (blank.ids, blank.more, blank.feedback) = ([], true, nil)
        let room = WireLimit.clientLine - WireLimit.envelope - WireWriter.size(blank)
        var (parts, used) = ([blank], 0)
        func begin() {
            parts.append(blank)
            used = 0
        }
        for id in ids {
            // With its quotes, and a comma behind it.
            let bytes = WireWriter.line(id).count
            if used + bytes > room { begin() }
            parts[parts.count - 1].ids.append(id)
            used += bytes
        }
        var last = blank
        last.feedback = feedback
        if used + WireWriter.size(last) - WireWriter.size(blank) > room { begin() }
        parts[parts.count - 1].more = more
        parts[parts.count - 1].feedback = feedback
        return parts
    }
}
