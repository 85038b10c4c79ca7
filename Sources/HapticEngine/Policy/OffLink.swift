// SPDX-License-Identifier: MIT
import HapticCore

/// Nothing is felt while people have switched feedback off.
enum OffLink {
    static func objection(_ personal: PersonalSettings, noting path: inout PolicyPath) -> Reason? {
        guard personal.settings.off != nil else { return nil }
        path.settings = personal.offNote
        return .off
    }
}
