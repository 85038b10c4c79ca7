// SPDX-License-Identifier: MIT
import Foundation
import PackagePlugin

/// Compiles `configs/patterns/*.yaml` in: adding a file there is all it takes.
@main
struct EmbedPatternsPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let directory = context.package.directoryURL.appending(path: "configs/patterns")
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "yaml" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedPatterns.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) patterns", executable: try context.tool(named: "EmbedPatterns").url,
                arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}
