// SPDX-License-Identifier: MIT
private import Glibc

/// The names of what is in a folder, without `.` and `..`, in no order; empty where it cannot be read. Blocks.
func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        // Read where it is: the entry may be shorter than its type.
        // trap: a stored property of a C struct has an offset.
        let bytes = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
        let name = String(cString: bytes.assumingMemoryBound(to: CChar.self))
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

/// Where a path leads through all its links; nil where it leads nowhere. Blocks.
package func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}
