// SPDX-License-Identifier: MIT
internal import HapticCore
package import HapticText

/// Which input device is meant: one for which all that is given holds. At least one is.
public struct DeviceMatch: Hashable, Sendable {
    /// A glob.
    public var name: String?
    /// A node, or a link to one such as those in `/dev/input/by-id`.
    public var path: String?
    /// A glob.
    public var phys: String?
    /// USB and Bluetooth ids, 0…0xffff.
    public var vendor: Int?
    public var product: Int?

    public init(
        name: String? = nil, path: String? = nil, phys: String? = nil, vendor: Int? = nil, product: Int? = nil
    ) {
        self.name = name
        self.path = path
        self.phys = phys
        self.vendor = vendor
        self.product = product
    }
}

extension DeviceMatch: CustomStringConvertible {
    /// `the input device with name "*Pad*", vendor 0x045e`.
    public var description: String {
        let parts = [
            name.map { "name \"\($0)\"" }, path.map { "path \($0)" }, phys.map { "phys \"\($0)\"" },
            vendor.map { "vendor \(Self.hexadecimal($0))" }, product.map { "product \(Self.hexadecimal($0))" },
        ]
        return "the input device with " + parts.compactMap(\.self).joined(separator: ", ")
    }

    /// `0x045e`.
    static func hexadecimal(_ id: Int) -> String {
        let digits = String(id, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// As a configuration has it.
extension DeviceMatch {
    package static let form = Form<Self>.object(keys, into: Self()) { match, reader in
        guard reader.node.content == .object([]) else { return match }
        reader.fail("nothing to find the device by; give its `name`, `path`, `phys`, `vendor` or `product`")
        return nil
    }.described(as: .objectOfAny(keys.map(\.member)))

    private static let id = Form<Int>.integer(in: 0...0xffff)

    private static let keys: [Key<Self>] = [
        .optional("name", .name(), "a glob for the name") { $0.name = $1.string },
        .optional("path", .name(limit: 4096), "the device node, or a link to it") { $0.path = $1.string },
        .optional("phys", .name(), "a glob for the place of connection") { $0.phys = $1.string },
        .optional("vendor", id, "the maker's number on USB or Bluetooth, such as `0x045e`") { $0.vendor = $1 },
        .optional("product", id, "the model's number on USB or Bluetooth") { $0.product = $1 },
    ]
}
