// SPDX-License-Identifier: MIT

extension RandomAccessCollection {
    /// How many elements at the start are `isInPrefix`, where all that are come before all that are not. O(log count).
    package func countOfPrefix(where isInPrefix: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isInPrefix(self[index(startIndex, offsetBy: middle)]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
