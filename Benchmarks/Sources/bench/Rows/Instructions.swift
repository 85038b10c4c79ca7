// SPDX-License-Identifier: MIT

/// Instructions of the engine alone, counted by callgrind: the same in each run, whatever else the machine does.
struct Instructions {
    let site: Site

    static let valgrind = "/usr/bin/valgrind"

    /// Of one of what `engine-cost` does by `arguments`: what a run of 12 `times` takes more than a run of 2.
    func each(_ arguments: [String], times: Int = 10) throws -> Double {
        let (few, many) = (2 * times, 12 * times)
        // Each run warms up with a tenth as many, and once at least.
        let counted = Double(many + max(many / 10, 1) - few - max(few / 10, 1))
        return (try total(arguments, many) - total(arguments, few)) / counted
    }

    private func total(_ arguments: [String], _ count: Int) throws -> Double {
        let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1", "\(site.tools)/engine-cost"]
        let program = try Program(Self.valgrind, options + arguments + ["\(count)"], in: try site.newFolder())
        let lines = try program.finish(within: 120)
        let counted = lines.first { $0.contains("Collected : ") }?.split(separator: " ").last.flatMap { Double($0) }
        guard let counted else { throw Failure("callgrind counted nothing: \(lines)") }
        return counted
    }
}
