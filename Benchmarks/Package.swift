// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

/// As in the package that is measured.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "hapticd-benchmarks",
    dependencies: [.package(name: "hapticd", path: "..")],
    targets: [
        // hapticd is measured against these. They are small, so that a reader sees that they do no more than they must.
        .executableTarget(name: "reference-line"),
        .executableTarget(name: "reference-pwm"),
        .executableTarget(name: "feedbackd-client", linkerSettings: [.linkedLibrary("systemd")]),
        .target(name: "CHarness"),
        .target(name: "CAllocations"),
        .target(name: "Measuring", swiftSettings: settings),
        .executableTarget(
            name: "engine-cost",
            dependencies: ["CAllocations", .product(name: "HapticEngine", package: "hapticd")], swiftSettings: settings),
        .executableTarget(
            name: "bench",
            dependencies: ["CHarness", "Measuring"], swiftSettings: settings),
        .testTarget(name: "MeasuringTests", dependencies: ["Measuring"], swiftSettings: settings),
    ]
)
