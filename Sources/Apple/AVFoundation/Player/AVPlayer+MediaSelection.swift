import Foundation
import Synchronization

extension AVPlayer {
    /// Stored without effect: an item plays its default tracks until the program selects others.
    nonisolated public func setMediaSelectionCriteria(
        _ criteria: AVPlayerMediaSelectionCriteria?,
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) {
        let old = selectionCriteria.withLock { all in
            defer { all[mediaCharacteristic] = criteria }
            return all[mediaCharacteristic]
        }
        withExtendedLifetime(old) {}
    }

    /// Returns the criteria last set; `nil` if there are none. Stored without effect.
    nonisolated public func mediaSelectionCriteria(
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> AVPlayerMediaSelectionCriteria? { selectionCriteria.withLock { $0[mediaCharacteristic] } }
}
