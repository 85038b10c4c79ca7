// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl present, as a person uses it")
struct PresentTests {
    @Test("What is new and what is missing is felt, in whatever order it is named, and what stayed is not")
    func comparison() throws {
        let daemon = try Daemon()
        let steps: [(ids: [String], String)] = [
            (["a", "b"], "present cart.items (2 inserted, 0 removed, 0 kept): felt, "),
            (["b", "a"], "present cart.items (0 inserted, 0 removed, 2 kept): not felt: the same things are there as before"),
            (["b", "c"], "present cart.items (1 inserted, 1 removed, 1 kept): felt, "),
            ([], "present cart.items (0 inserted, 2 removed, 0 kept): felt, "),
        ]
        for (ids, words) in steps {
            let ended = try runCtl(["present", "cart.items"] + ids + ["--socket", daemon.socket], in: daemon.folder)
            #expect(ended.status == 0 && ended.output.hasPrefix(words), "\(ended)")
        }
        let silent = try daemon.ctl("present", "cart.items", "a", "--feedback", "off", "--json")
        #expect(
            silent.objects.first?.text("reason") == "feedbackOff" && silent.objects.first?.number("inserted") == 1, "\(silent)")
        #expect(try daemon.ctl("why", "last").status == 0)
    }

    @Test("A set of 100,000 things is one set, and one more is too many: then it stays as it was")
    func large() throws {
        let daemon = try Daemon()
        let lines = (0..<100_000).map { "item-\($0)\n" }.joined()
        func present(_ input: String) throws -> EndedProgram {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: daemon.folder.write(input, to: "ids")))
            return try Program(
                "hapticctl", ["present", "stock", "--stdin", "--json", "--socket", daemon.socket], input: file, in: daemon.folder
            ).wait()
        }
        let first = try present(lines)
        #expect(first.status == 0 && first.objects.count == 1 && first.objects[0].number("inserted") == 100_000, "\(first)")
        let more = try present(lines + "one-more\n")
        #expect(more.status == 1 && more.objects.first?.text("reason") == "quota", "\(more)")
        #expect(try more.error().text("code") == "refused" && more.errors.contains("thingsPerUser"), "\(more)")
        let again = try present(lines)
        #expect(again.objects.first?.text("reason") == "unchanged" && again.objects.first?.number("kept") == 100_000, "\(again)")
    }

    @Test("What is wrong with the ids is named with its line, and nothing is said of the set")
    func mistakes() throws {
        let daemon = try Daemon()
        let ended = try daemon.ctl("present", "stock", "--stdin", input: "a\nb\tc\n")
        #expect(ended.status == 1 && ended.errors.contains("line 2") && ended.output.isEmpty, "\(ended)")
        #expect(try daemon.ctl("present", "stock", "a").output.contains("(1 inserted, 0 removed"))
    }

    @Test("What never ends is no set: a sentence says how much may come")
    func endless() throws {
        let zeros = try #require(FileHandle(forReadingAtPath: "/dev/zero"))
        let ended = try Program("hapticctl", ["present", "stock", "--stdin", "--simulate"], input: zeros, in: TemporaryFolder())
            .wait()
        #expect(ended.status == 1 && ended.errors.contains("100,000 of them and 8 MB"), "\(ended)")
        #expect(!ended.errors.contains("Failure("), "\(ended.errors)")
    }

    @Test("Without a daemon the same is drawn")
    func simulated() throws {
        let ended = try runCtl(["present", "cart", "b", "c", "d", "--had", "a", "--had", "b", "--simulate"])
        #expect(ended.status == 0 && ended.output.hasPrefix("present cart (2 inserted, 1 removed, 1 kept): felt, "), "\(ended)")
        let lines = try runCtl(["present", "cart", "b", "--had", "b", "--simulate", "--json"]).objects
        #expect(lines.map { $0.object("decision").text("reason") } == ["feedbackOff", "unchanged"])
    }
}
