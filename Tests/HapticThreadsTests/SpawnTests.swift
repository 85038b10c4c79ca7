// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Testing

@Suite struct SpawnTests {
    @Test("A program that is to get more descriptors than it can be given is not started")
    func programThatIsToGet() {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(arguments[0]) }
        let descriptors = [Int32](repeating: 0, count: 5)
        for count: Int32 in [5, -1] {
            let process = clinux_spawn_session("/bin/true", &arguments, descriptors, count)
            #expect(process == -EINVAL)
            if process > 0 { waitpid(process, nil, 0) }
        }
    }
}
