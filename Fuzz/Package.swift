// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

/// The settings of the package above.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The program with libFuzzer, and nothing else: its targets belong to the package above, which replays past failures.
let package = Package(
    name: "hapticd-fuzz",
    dependencies: [.package(name: "hapticd", path: "..")],
    targets: [
        .executableTarget(
            name: "fuzz", dependencies: [.product(name: "FuzzTargets", package: "hapticd")], swiftSettings: settings,
            // `--sanitize=fuzzer` would link libFuzzer to the build tools, too.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
    ]
)
