// SPDX-License-Identifier: MIT
import Foundation

/// A configuration with every key that there is, with the patterns of `/p`. JSON, which YAML is a superset of.
let everyKey: String = {
    let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../fixtures/every-key.json").standardized
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
}()
