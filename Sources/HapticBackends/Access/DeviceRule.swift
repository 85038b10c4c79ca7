// SPDX-License-Identifier: MIT

/// A rule of udev that lets the daemon's group use one device, or all input devices of one model, and no other.
///
/// It is built from places in sysfs, `ID_PATH`, and ids and bitmaps in hexadecimal only. Names of devices and texts of a configuration are never in it.
public struct DeviceRule: Hashable, Sendable {
    /// What is done to the devices that are marked for it, in lines of `hw/udev/70-hapticd.rules`.
    public struct Grant: Hashable, Sendable {
        /// The value of `.HAPTICD` by which its lines know their devices.
        var mark: String
        public var lines: [String]
        /// The mark that a rule before this one may have set, which then stays.
        var yieldsTo: String?
    }

    /// Which device it is.
    let matches: String
    public let grant: Grant

    /// `matches`: keys of udev with their values, of which those that are not ours are `plain`.
    init(_ matches: String, _ grant: Grant) {
        self.matches = matches
        self.grant = grant
    }

    /// Marks the device for its grant, whose lines have to follow.
    public var line: String {
        let other = grant.yieldsTo.map { #", ENV{.HAPTICD}!="\#($0)""# } ?? ""
        return #"\#(matches)\#(other), ENV{.HAPTICD}="\#(grant.mark)""#
    }

    /// The longest path that is put into a rule, in bytes.
    private static let longest = 1024

    /// The same text where it means nothing but itself to udev and to shells; nil where it might.
    public static func plain(_ text: String) -> String? {
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: ".-_:/@+".utf8.contains(byte)
            }
        }
        return !text.isEmpty && text.utf8.count <= longest && text.utf8.allSatisfy(isPlain) ? text : nil
    }
}

extension DeviceRule {
    /// Matches for a device that is at `path` below `root`; nil where its path is not `plain`.
    ///
    /// `stem`: its name without its number, which may be another one after the next start. Where the device has others of its kind
    /// beside it, only the number tells it from them, so it stays.
    static func place(_ path: String, stem: String, in root: SysfsRoot) -> String? {
        guard let path = plain(path), let slash = path.lastIndex(of: "/") else { return nil }
        let folder = path[..<slash]
        let kin = Sysfs.names(in: "\(root.path)\(folder)").count { $0.hasPrefix(stem) }
        guard kin == 1 else { return #"DEVPATH=="\#(path)""# }
        // A star of udev goes on behind a slash.
        return #"DEVPATH=="\#(folder)/\#(stem)[0-9]*", DEVPATH!="\#(folder)/\#(stem)[0-9]*/*""#
    }

    /// Why there is no rule for a device whose path is not `plain`.
    static func oddPath(of device: String) -> DriverFault {
        DriverFault(
            .unusable(
                why: "the path of its device in /sys has characters that mean something to udev", remedy: "write its rule by hand"
            ),
            device: device)
    }
}

extension DeviceRule.Grant {
    /// An entry in the access list of a node of `/dev`.
    static let node = node(mark: "node", rights: "rw")

    /// One that lets the node be read only. It yields to one that gives more, for a pad that is driven, too.
    static let reading = {
        var grant = node(mark: "read", rights: "r")
        grant.yieldsTo = node.mark
        return grant
    }()

    private static func node(mark: String, rights: String) -> Self {
        Self(
            mark: mark,
            lines: [
                #"ENV{.HAPTICD}=="\#(mark)", TEST=="/usr/bin/setfacl", IMPORT{program}="/bin/sh -c 'getfacl -cp $$0 | grep -q ^group:hapticd: || exit 0; setfacl -x g:hapticd $$0; getfacl -cpn $$0 | grep -q ^[ug][a-z]*:[0-9] || setfacl -b $$0' $devnode""#,
                #"ENV{.HAPTICD}=="\#(mark)", TEST=="/usr/bin/setfacl", RUN+="/usr/bin/setfacl -m g:hapticd:\#(rights) $devnode""#,
            ])
    }

    /// The group of files in `/sys` that are still root's. `depth`: how far below the device they are.
    static func files(_ names: [String], depth: Int, mark: String) -> Self {
        let choice = names.map { "-name \($0)" }.joined(separator: " -o ")
        let run =
            "/usr/bin/find /sys%p -maxdepth \(depth) -gid 0 ( \(choice) ) -exec /bin/chgrp hapticd {} + -exec /bin/chmod g=u {} +"
        return Self(mark: mark, lines: [#"ENV{.HAPTICD}=="\#(mark)", RUN+="\#(run)""#])
    }
}
