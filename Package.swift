// swift-tools-version: 6.1
// SPDX-License-Identifier: MIT
import PackageDescription

/// One list for all targets, so that no target is laxer than another.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
]

/// The libraries that drive hardware; without one its backend says so and the rest works.
let gpio = Target.Dependency.target(name: "CGPIOD", condition: .when(traits: ["GPIO"]))
let evdev = Target.Dependency.target(name: "CEvdev", condition: .when(traits: ["Evdev"]))

let package = Package(
    name: "hapticd",
    products: [
        .executable(name: "hapticd", targets: ["hapticd"]),
        .executable(name: "hapticctl", targets: ["hapticctl"]),
        .library(name: "HapticClient", targets: ["HapticClient", "HapticWire", "HapticText", "HapticCore"]),
        // Decides by itself, for who wants to decide without a daemon; Benchmarks measures it.
        .library(
            name: "HapticEngine", targets: ["HapticEngine", "HapticPlanning", "HapticMotors", "HapticPatterns", "HapticCore"]),
        // All that reads what comes from outside, for the package in Fuzz/.
        .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    ],
    traits: [
        .trait(name: "GPIO", description: "Motors on GPIO lines, through libgpiod 1.6 or 2."),
        .trait(name: "Evdev", description: "Force-feedback input devices, through libevdev."),
        .default(enabledTraits: ["GPIO", "Evdev"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CGPIOD", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),
        .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .target(name: "CLinux"),
        .target(name: "HapticCore", swiftSettings: settings),
        .target(name: "HapticPatterns", dependencies: ["HapticCore"], swiftSettings: settings),
        .target(name: "HapticMotors", dependencies: ["HapticCore", "HapticPatterns"], swiftSettings: settings),
        .target(
            name: "HapticPlanning",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings),
        .target(
            name: "HapticEngine", dependencies: ["HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning"],
            swiftSettings: settings),
        .target(name: "HapticText", dependencies: ["HapticCore"], swiftSettings: settings),
        .target(name: "HapticYAML", dependencies: ["HapticCore", "HapticText", "CYAML"], swiftSettings: settings),
        .executableTarget(name: "EmbedPatterns", swiftSettings: settings),
        .plugin(
            name: "EmbedPatternsPlugin", capability: .buildTool(), dependencies: ["EmbedPatterns"], path: "Plugins/EmbedPatterns"),
        .target(
            name: "HapticFormats", dependencies: ["HapticCore", "HapticPatterns", "HapticText", "HapticYAML"],
            // A link to configs/patterns: without it SwiftPM would not look there for files that came or went.
            exclude: ["Patterns/BuiltIn"], swiftSettings: settings,
            plugins: ["EmbedPatternsPlugin"]),
        .target(
            name: "HapticConfig",
            dependencies: [
                "HapticCore", "HapticText", "HapticPatterns", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticYAML",
                "HapticFormats", "HapticBackends", "HapticInputs",
            ], swiftSettings: settings),
        .target(name: "HapticThreads", dependencies: ["HapticCore", "CLinux"], swiftSettings: settings),
        .target(
            name: "HapticBackends",
            dependencies: ["HapticCore", "HapticMotors", "HapticText", "HapticThreads", "CLinux", gpio, evdev],
            swiftSettings: settings),
        .target(
            name: "HapticGuard", dependencies: ["HapticCore", "HapticThreads", "HapticBackends", "CLinux"],
            swiftSettings: settings),
        .target(
            name: "HapticRuntime", dependencies: ["HapticCore", "HapticThreads", "HapticBackends", "CLinux"],
            swiftSettings: settings),
        .target(
            name: "HapticBoard",
            dependencies: [
                "HapticCore", "HapticMotors", "HapticThreads", "HapticBackends", "HapticRuntime", "HapticGuard", "CLinux",
            ],
            swiftSettings: settings),
        .target(
            name: "HapticInputs",
            dependencies: ["HapticCore", "HapticText", "HapticThreads", "HapticBackends", gpio, evdev], swiftSettings: settings),
        .target(name: "HapticWire", dependencies: ["HapticCore", "HapticText"], swiftSettings: settings),
        // Not NIO: what the service decides is tested without bytes, sockets and an event loop.
        .target(
            name: "HapticService",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticText", "HapticFormats",
                "HapticWire", .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings),
        .target(
            name: "HapticServer",
            dependencies: ["CLinux", "HapticCore", "HapticMotors", "HapticEngine", "HapticWire", "HapticService"] + nio,
            swiftSettings: settings),
        .target(name: "HapticClient", dependencies: ["HapticCore", "HapticWire"], swiftSettings: settings),
        .target(
            name: "HapticReplay",
            dependencies: [
                "HapticCore", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticText", "HapticThreads", "HapticWire",
                "HapticBackends", "HapticRuntime",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "hapticd",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticText", "HapticYAML",
                "HapticConfig", "HapticBackends", "HapticRuntime", "HapticWire", "HapticReplay", "HapticService", "HapticServer",
                "HapticThreads", "HapticGuard", "HapticBoard", "HapticInputs", "CLinux", argumentParser,
                .product(name: "Logging", package: "swift-log"),
            ] + nio,
            swiftSettings: settings),
        .target(
            name: "HapticTerminal",
            dependencies: [
                "HapticCore", "HapticMotors", "HapticEngine", "HapticText", "HapticYAML", "HapticConfig", "HapticWire",
                "HapticClient",
            ],
            swiftSettings: settings),
        .target(
            name: "HapticDoctor",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticPlanning", "HapticEngine", "HapticText", "HapticYAML", "HapticFormats",
                "HapticConfig", "HapticBackends", "HapticInputs", "HapticWire", "HapticClient", "HapticTerminal", "CLinux",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "hapticctl",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticText", "HapticYAML",
                "HapticFormats", "HapticConfig", "HapticWire", "HapticClient", "HapticService", "HapticBackends", "HapticInputs",
                "HapticReplay", "HapticTerminal", "HapticDoctor", "CLinux", argumentParser,
            ],
            swiftSettings: settings),
        // Shown in docs/protocol.md as it is, and run by Tests/docs/run.
        .executableTarget(
            name: "felt-copy", dependencies: ["HapticClient", "HapticCore", "HapticWire"], path: "Examples/felt-copy",
            swiftSettings: settings),
        .target(name: "CAllocations", path: "Tests/CAllocations"),
        .target(name: "CPrograms", path: "Tests/CPrograms"),
        .target(
            name: "TestSupport", dependencies: ["HapticCore", "HapticPatterns", "HapticMotors", "HapticText", "HapticThreads"],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        // Shared by the tests of hapticctl and of its rooms.
        .target(
            name: "TerminalTestSupport",
            dependencies: ["HapticCore", "HapticPlanning", "HapticWire", "HapticService", "HapticTerminal"],
            path: "Tests/TerminalTestSupport", swiftSettings: settings),
        // `make walk`: service, engine and executor together, at random, judged by invariants.
        .executableTarget(
            name: "haptic-walk",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticWire", "HapticService",
                "HapticServer", "HapticBackends", "HapticRuntime", "TestSupport", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ], path: "Tests/Walk", swiftSettings: settings),
        // `make feel`: the measure of feel, on motors that the fitting was not tuned to.
        .executableTarget(
            name: "haptic-feel",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", "HapticFormats", "HapticPlanning", "HapticEngine", "HapticConfig",
                "HapticReplay",
            ],
            path: "Tests/Feel",
            swiftSettings: settings),
        // `make reference-pages`: the tables of docs/protocol.md and docs/configuration.md, and words of the fuzzer.
        .executableTarget(
            name: "reference-pages",
            dependencies: [
                "HapticConfig", "HapticCore", "HapticEngine", "HapticFormats", "HapticText", "HapticMotors", "HapticService",
                "HapticWire",
            ],
            path: "Tests/ReferencePages", swiftSettings: settings),
        // `make races`: a ring and a doorbell between two threads, under the thread sanitizer.
        .executableTarget(
            name: "haptic-races", dependencies: ["HapticCore", "HapticThreads", "CLinux"], path: "Tests/Races",
            swiftSettings: settings),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticText", "HapticYAML",
                "HapticFormats", "HapticConfig", "HapticBackends", "HapticWire", "HapticService", "HapticServer", "HapticGuard",
                "HapticTerminal", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ], path: "Fuzz/Sources/FuzzTargets", swiftSettings: settings),
        // `make fuzz-replay`: feeds each target what it was fed before, without libFuzzer.
        .executableTarget(
            name: "fuzz-replay", dependencies: ["FuzzTargets"], path: "Fuzz/Sources/fuzz-replay", swiftSettings: settings),
        // `make foreign-test`: what our readers make of documents by others.
        .executableTarget(
            name: "read-document", dependencies: ["HapticCore", "HapticText", "HapticYAML"],
            path: "Fuzz/Sources/read-document", swiftSettings: settings),
        .testTarget(name: "HapticCoreTests", dependencies: ["HapticCore", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "HapticPatternsTests", dependencies: ["HapticCore", "HapticPatterns", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "HapticMotorsTests", dependencies: ["HapticCore", "HapticPatterns", "HapticMotors", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "HapticPlanningTests",
            dependencies: ["HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "HapticEngineTests",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning", "HapticEngine", "CAllocations", "TestSupport",
            ],
            swiftSettings: settings),
        // The engine's cases as files; their runner is all the code there is.
        .testTarget(
            name: "GoldenTests",
            dependencies: [
                "HapticCore", "HapticMotors", "HapticPatterns", "HapticPlanning", "HapticEngine", "HapticText", "HapticYAML",
                "HapticFormats", "HapticConfig", "HapticWire", "HapticService", "HapticReplay", "TestSupport",
            ],
            exclude: ["Traces"], swiftSettings: settings),
        .testTarget(name: "HapticTextTests", dependencies: ["HapticCore", "HapticText", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "HapticYAMLTests", dependencies: ["HapticCore", "HapticText", "HapticYAML", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "HapticFormatsTests",
            dependencies: ["HapticCore", "HapticPatterns", "HapticText", "HapticYAML", "HapticFormats", "TestSupport"],
            swiftSettings: settings),
        // Writes settings in a process of its own, for the tests to kill it.
        .executableTarget(
            name: "settings-writer", dependencies: ["HapticCore", "HapticConfig", "CPrograms"], path: "Tests/SettingsWriter",
            swiftSettings: settings),
        .testTarget(
            name: "HapticConfigTests",
            dependencies: [
                "HapticCore", "HapticText", "HapticConfig", "CPrograms", "settings-writer", "TestSupport", "HapticPatterns",
                "HapticMotors", "HapticPlanning", "HapticEngine", "HapticYAML", "HapticFormats", "HapticBackends", "HapticInputs",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HapticBackendsTests",
            dependencies: [
                "HapticCore", "HapticMotors", "HapticPatterns", "HapticThreads", "HapticBackends", "HapticRuntime",
                "CAllocations", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HapticThreadsTests", dependencies: ["HapticCore", "HapticThreads", "CLinux", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "HapticGuardTests",
            dependencies: [
                "HapticCore", "HapticThreads", "HapticBackends", "HapticGuard", "CAllocations", "hapticd", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HapticBoardTests",
            dependencies: [
                "HapticCore", "HapticMotors", "HapticPatterns", "HapticThreads", "HapticBackends", "HapticRuntime", "HapticGuard",
                "HapticBoard", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HapticInputsTests",
            dependencies: [
                "HapticCore", "HapticText", "HapticThreads", "HapticBackends", "HapticInputs", "CLinux", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HapticRuntimeTests",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticThreads", "HapticBackends", "HapticRuntime", "CLinux", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HapticReplayTests",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticFormats",
                "HapticBackends", "HapticReplay", "HapticText", "HapticThreads", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WalkTests",
            dependencies: ["haptic-walk", "HapticCore", "HapticPatterns", "HapticWire", "HapticService", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ReferencePagesTests", dependencies: ["reference-pages", "HapticText"], swiftSettings: settings),
        .testTarget(
            name: "FeelTests", dependencies: ["haptic-feel", "HapticCore", "HapticPatterns", "HapticMotors"],
            swiftSettings: settings),
        .testTarget(
            name: "HapticClientTests", dependencies: ["HapticCore", "HapticText", "HapticWire", "HapticClient"],
            swiftSettings: settings),
        .testTarget(
            name: "HapticdTests",
            dependencies: [
                "hapticd", "HapticCore", "HapticText", "HapticBackends", "HapticBoard", "HapticInputs", "HapticConfig",
                "HapticPlanning", "HapticEngine", "HapticServer", "HapticService", "HapticThreads", "HapticWire", "TestSupport",
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "hapticd", "hapticctl", "HapticCore", "HapticMotors", "HapticEngine", "HapticText", "HapticFormats",
                "HapticConfig", "HapticReplay", "CPrograms", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HapticWireTests", dependencies: ["HapticCore", "HapticText", "HapticWire", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "HapticTerminalTests",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticPlanning", "HapticMotors", "HapticEngine", "HapticText", "HapticConfig",
                "HapticWire", "HapticClient", "HapticService", "HapticTerminal", "TestSupport", "TerminalTestSupport",
            ],
            exclude: ["Snapshots"], swiftSettings: settings),
        .testTarget(
            name: "HapticDoctorTests",
            dependencies: [
                "HapticCore", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticText", "HapticYAML", "HapticConfig",
                "HapticBackends", "HapticInputs", "HapticWire", "HapticClient", "HapticService", "HapticTerminal", "HapticDoctor",
                "TestSupport", "TerminalTestSupport",
            ],
            exclude: ["Snapshots"], swiftSettings: settings),
        .testTarget(
            name: "HapticctlTests",
            dependencies: [
                "hapticctl", "HapticTerminal", "HapticCore", "HapticMotors", "HapticPatterns", "HapticPlanning", "HapticEngine",
                "HapticText", "HapticYAML", "HapticFormats", "HapticConfig", "HapticWire", "HapticClient", "HapticService",
                "TestSupport", "TerminalTestSupport", argumentParser,
            ],
            exclude: ["Patterns", "Snapshots"], swiftSettings: settings),
        .testTarget(
            name: "HapticServiceTests",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticText", "HapticFormats",
                "HapticWire", "HapticService", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HapticServerTests",
            dependencies: [
                "HapticCore", "HapticPatterns", "HapticMotors", "HapticPlanning", "HapticEngine", "HapticText", "HapticWire",
                "HapticService", "HapticServer", "HapticClient",
            ] + nio
                + [.product(name: "NIOEmbedded", package: "swift-nio")],
            swiftSettings: settings),
    ]
)
