// SPDX-License-Identifier: MIT
internal import HapticText

extension Form {
    /// An object of these keys and any others: a format of others may have more than is known here. Nil where anything in it is wrong.
    static func known(_ keys: [Key<Value>], into start: @autoclosure @escaping @Sendable () -> Value) -> Self {
        Form(.object(keys.map(\.member))) { reader in
            reader.whole {
                reader.object { fields in
                    fields.ignoreUnknownKeys()
                    return fields.read(keys, from: start())
                }
            }
        }
    }

    /// The same; null is as if it were left out.
    static func orNull<Wrapped>(_ form: Form<Wrapped>) -> Self where Value == Wrapped? {
        Form(form.kind) { reader in reader.node.content == .null ? .some(nil) : form.read(reader).map { .some($0) } }
    }
}
