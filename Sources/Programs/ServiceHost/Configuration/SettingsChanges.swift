/// The difference of two settings: what can be applied while the service runs, and what needs a restart.
package struct SettingsChanges: Equatable, Sendable {
    /// A changed key.
    package struct Change: Equatable, Sendable {
        /// The key's ``ConfigurationKey/id``, such as `web.port`.
        package let key: String
        /// A sentence for the log.
        package let sentence: String
    }

    /// Changes to apply now.
    package var live: [Change] = []
    /// Changes that need a restart.
    package var restart: [Change] = []

    /// Whether nothing has changed.
    package var isEmpty: Bool { live.isEmpty && restart.isEmpty }
}

extension HouseSettings {
    /// Returns what differs between two settings, in the order of the declaration.
    package static func changes(from old: HouseSettings, to new: HouseSettings) -> SettingsChanges {
        var changes = SettingsChanges()
        for key in ConfigurationDeclaration.keys {
            let (before, after) = (key.value(in: old), key.value(in: new))
            guard before != after else { continue }
            let words = "\(key.spelled) changes from \(text(before)) to \(text(after))"
            if key.isLive {
                changes.live.append(SettingsChanges.Change(key: key.id, sentence: "\(words)."))
            } else {
                let advice = "restart the service to apply it."
                changes.restart.append(SettingsChanges.Change(key: key.id, sentence: "\(words); \(advice)"))
            }
        }
        return changes
    }

    /// Returns the settings that run after a reload: those of `new` where a change needs no restart.
    package func applyingLiveChanges(of new: HouseSettings) -> HouseSettings {
        var result = new
        for key in ConfigurationDeclaration.keys where !key.isLive { key.copy(self, &result) }
        return result
    }

    private static func text(_ value: ConfigurationValue?) -> String { value?.text ?? "its default" }
}
