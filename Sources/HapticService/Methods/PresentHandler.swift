// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension PresentParams: ServedCall {
    func item(
        _ resolver: inout CallResolver, of client: ClientIdentity, readAt: MonotonicInstant
    ) throws(WireError) -> BatchItem? {
        let present = PresentInput(name: name, ids: ids.map { Text($0) }, continues: more ?? false)
        return try resolver.input(self, .present(present), of: client, readAt: readAt)
    }

    var setPart: SetPart? { part }
    var subject: Subject { Subject(name: name, app: app) }
}
