// SPDX-License-Identifier: MIT
import HapticJSON
import Testing

@testable import hapticctl

@Suite("An error of a configuration as --json gives it")
struct ProblemTests {
    @Test(
        "An error is the same whether it was found here or by the daemon",
        arguments: [
            Diagnostic(
                file: "/etc/a.yaml", mark: .init(line: 4, column: 11), path: "progress[0].step", message: "must be: at most 1"),
            Diagnostic(file: "/etc/a.yaml", mark: .init(line: 1, column: 1), message: "unknown key `progres`: did you mean it?"),
            Diagnostic(file: "/etc/a:b.yaml", mark: .init(line: 1, column: 2), path: "version", message: "is missing"),
            Diagnostic(file: "/no/such.yaml", message: "cannot be read: there is no such file"),
            Diagnostic(message: "2 more errors are not shown"), Diagnostic(message: "it is so: no place"),
        ])
    func texts(diagnostic: Diagnostic) {
        #expect(Problem(text: diagnostic.description) == Problem(diagnostic))
    }
}
