import Foundation
import Playback

extension AVPlayerItem {
    /// Plays an option of a group of the item's asset.
    ///
    /// The sound goes on with the other track at the place that is heard, after a short silence while the outputs get it; an
    /// item that is not played yet begins with it. ``mediaSelectionDidChangeNotification`` is posted. `nil`, and an option of
    /// another asset's group, change nothing: some track is always played. Any thread.
    nonisolated public func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        guard let option = mediaSelectionOption, mediaSelectionGroup.options.contains(option) else { return }
        play(stream: option.stream.index)
    }

    /// Plays the option that the user's languages prefer, or the group's default where none of them is there.
    nonisolated public func selectMediaOptionAutomatically(in mediaSelectionGroup: AVMediaSelectionGroup) {
        let preferred = AVMediaSelectionGroup.mediaSelectionOptions(
            from: mediaSelectionGroup.options,
            filteredAndSortedAccordingToPreferredLanguages: Locale.preferredLanguages)
        play(stream: preferred.first.map(\.stream.index))
    }

    /// The options that are played, as of now.
    nonisolated public var currentMediaSelection: AVMediaSelection {
        AVMediaSelection(asset: source, stream: core.wishes.stream)
    }

    /// The option of a group that is played.
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
