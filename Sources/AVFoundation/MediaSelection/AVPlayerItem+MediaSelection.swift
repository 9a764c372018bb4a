import Foundation
import Playback

extension AVPlayerItem {
    /// Plays an option of a group of the item's asset.
    ///
    /// Playback continues with the new track at the current position, after a short silence while the outputs
    /// rebuffer; an item that does not play yet starts with the new track. Posts
    /// ``mediaSelectionDidChangeNotification``. Ignores `nil` and an option that is not in the group, because
    /// one track always plays. Any thread.
    nonisolated public func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        guard let option = mediaSelectionOption, mediaSelectionGroup.options.contains(option) else { return }
        play(stream: option.stream.index)
    }

    /// Plays the option in the user's most preferred language, or the default option if no language matches.
    nonisolated public func selectMediaOptionAutomatically(in mediaSelectionGroup: AVMediaSelectionGroup) {
        let preferred = AVMediaSelectionGroup.mediaSelectionOptions(
            from: mediaSelectionGroup.options,
            filteredAndSortedAccordingToPreferredLanguages: Locale.preferredLanguages)
        play(stream: preferred.first.map(\.stream.index))
    }

    /// A snapshot of the selected options.
    nonisolated public var currentMediaSelection: AVMediaSelection {
        AVMediaSelection(asset: source, stream: core.wishes.stream)
    }

    /// Returns the selected option of a group.
    @available(*, deprecated, message: "Use currentMediaSelection instead")
    nonisolated public func selectedMediaOption(
        in mediaSelectionGroup: AVMediaSelectionGroup
    ) -> AVMediaSelectionOption? { currentMediaSelection.selectedMediaOption(in: mediaSelectionGroup) }

    nonisolated private func play(stream: Int?) {
        guard core.wishes.stream != stream else { return }
        core.setWishes { $0.stream = stream }
        AVPlayer.poster.post(Self.mediaSelectionDidChangeNotification, of: self)
    }
}
