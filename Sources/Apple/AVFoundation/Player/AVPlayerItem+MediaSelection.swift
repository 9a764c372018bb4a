import Foundation
import Playback
import TuttiCodecs

extension AVPlayerItem {
    /// Plays an option of a group of the item's asset.
    ///
    /// Playback continues with the new track at the current position, after a short silence while the outputs
    /// rebuffer; an item that does not play yet starts with the new track. Posts
    /// ``mediaSelectionDidChangeNotification``. Ignores an option that is not in the group, and `nil` unless the group
    /// allows that: one track of sound always plays. Texts are shown by the item's layers. Any thread.
    nonisolated public func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        guard let option = mediaSelectionOption else {
            if mediaSelectionGroup.allowsEmptySelection { show(.none) }
            return
        }
        guard mediaSelectionGroup.options.contains(option) else { return }
        if option.stream.isText {
            show(.embedded(option.stream.index))
        } else {
            play(stream: option.stream.index)
        }
    }

    /// Shows the texts of a subtitle file with the pictures: SubRip, WebVTT or SubStation Alpha; `nil` shows none. Reads
    /// the file on the calling thread. Tutti's extension.
    ///
    /// - Throws: An ``AVError`` if the file cannot be read or has no subtitles; the shown texts stay.
    nonisolated public func tuttiShowSubtitles(ofFile path: String?) throws(AVError) {
        guard let path else { return show(.none) }
        do throws(MediaError) {
            show(.file(try SubtitleFile(path: path)))
        } catch {
            throw AVError(error, url: URL(fileURLWithPath: path))
        }
    }

    /// The paths of subtitle files beside the item's file: its name with another ending, perhaps after a language. Reads the
    /// folder on the calling thread; empty for an address. Tutti's extension.
    nonisolated public var tuttiSubtitleFiles: [String] { core.path.map { SubtitleFile.beside($0) } ?? [] }

    nonisolated private func show(_ texts: ItemPictures.SubtitleChoice) {
        guard pictures.texts != texts else { return }
        pictures.texts = texts
        AVPlayer.poster.post(Self.mediaSelectionDidChangeNotification, of: self)
    }

    /// Plays the option in the user's most preferred language, or the default option if no language matches.
    nonisolated public func selectMediaOptionAutomatically(in mediaSelectionGroup: AVMediaSelectionGroup) {
        let preferred = AVMediaSelectionGroup.mediaSelectionOptions(
            from: mediaSelectionGroup.options,
            filteredAndSortedAccordingToPreferredLanguages: Locale.preferredLanguages)
        if mediaSelectionGroup.allowsEmptySelection {
            show(preferred.first.map { .embedded($0.stream.index) } ?? .none)
        } else {
            play(stream: preferred.first.map(\.stream.index))
        }
    }

    /// A snapshot of the selected options.
    nonisolated public var currentMediaSelection: AVMediaSelection {
        guard case .embedded(let text) = pictures.texts else {
            return AVMediaSelection(asset: source, stream: core.wishes.stream)
        }
        return AVMediaSelection(asset: source, stream: core.wishes.stream, text: text)
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
