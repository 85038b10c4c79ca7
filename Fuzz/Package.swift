// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

/// As in the package above.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Only the program that libFuzzer is linked to: the targets that it feeds are the package above, which replays what was found.
let package = Package(
    name: "hapticd-fuzz",
    dependencies: [.package(name: "hapticd", path: "..")],
    targets: [
        .executableTarget(
            name: "fuzz", dependencies: [.product(name: "FuzzTargets", package: "hapticd")], swiftSettings: settings,
            // Not by `--sanitize=fuzzer`, which would link it to the build tools, too.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
    ]
)
