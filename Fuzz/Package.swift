// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

/// As in the package that is fed.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "hapticd-fuzz",
    dependencies: [
        .package(name: "hapticd", path: ".."), .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        // What hapticctl makes of a daemon's lines and of records: links to its sources, for a program cannot be imported.
        .target(name: "CtlText", dependencies: [.product(name: "HapticReaders", package: "hapticd")], swiftSettings: settings),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CtlText", .product(name: "HapticReaders", package: "hapticd"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], swiftSettings: settings,
            // Not by `--sanitize=fuzzer`, which would link it to the build tools, too.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
        // Feeds each target what it was fed before, in a plain build without libFuzzer.
        .executableTarget(name: "fuzz-replay", dependencies: ["FuzzTargets"], swiftSettings: settings),
        // What our readers make of documents by others, for Tests/foreign.
        .executableTarget(
            name: "read-document", dependencies: [.product(name: "HapticReaders", package: "hapticd")], swiftSettings: settings),
    ]
)
