// SPDX-License-Identifier: MIT

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
