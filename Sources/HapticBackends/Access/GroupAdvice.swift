// SPDX-License-Identifier: MIT

/// What to do about a device's file that the daemon may not use because another group has it.
public enum GroupAdvice {
    /// `file`: its path. `group`: the name of the group that it belongs to.
    ///
    /// Nil where the group is not what keeps the daemon out (its own, root's), or where its name could not stand in a unit. Pure.
    public static func text(file: String, group: String) -> String? {
        guard isName(group), group != "root", group != "hapticd" else { return nil }
        guard group != "input" else {
            return
                "\(file) belongs to the group input, which hapticd must not join: that group reads every keyboard; "
                + "install the package acl and run `sudo udevadm trigger --subsystem-match=input`: the udev rules then let hapticd open force-feedback devices only"
        }
        return
            "\(file) belongs to the group \(group); run `sudo systemctl edit hapticd`, add the line SupplementaryGroups=\(group) below [Service], "
            + "then `sudo systemctl restart hapticd`"
    }

    /// As useradd(8) allows it.
    private static func isName(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
        }
        func isDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
        }
        return text.utf8.count <= 32 && text.utf8.first.map(isLetter) == true
            && text.utf8.allSatisfy { isLetter($0) || isDigit($0) }
    }
}
