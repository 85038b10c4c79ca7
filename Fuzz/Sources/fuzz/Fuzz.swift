// SPDX-License-Identifier: MIT
internal import FuzzTargets
internal import Glibc

/// fuzz: takes the options of libFuzzer. The target is in the environment (FUZZ_TARGET), for libFuzzer starts the program again with
/// arguments of its own.
@main
struct Fuzz {
    fileprivate static let target: any FuzzTarget.Type = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = allTargets.first(where: { $0.name == name }) else {
            print("fuzz: FUZZ_TARGET is one of \(allTargets.map { $0.name }.joined(separator: ", ")), not `\(name)`")
            exit(2)
        }
        return target
    }()

    static func main() {
        _ = target
        var (count, arguments) = (CommandLine.argc, CommandLine.unsafeArgv)
        exit(runDriver(&count, &arguments, fuzzOneInput))
    }
}

/// Of libFuzzer, whose own `main` gives way to ours.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzz.target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
