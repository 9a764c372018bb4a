import AirPlaySender
import CoreMedia
import Foundation
import Playback
import Synchronization

/// The items of one player that speakers' displays show, each from its first audible sample. Any thread.
final class SpeakerDisplays: Sendable {
    private struct Place {
        weak var item: AVPlayerItem?
        /// Timeline time of the item's time 0.
        let start: CMTime
    }

    private struct State {
        var places: [Place] = []
        /// Whether a track of this player was ever shown; other players then keep their displays.
        var isUsed = false
    }

    private let state = Mutex(State())
    private let present: @Sendable ([PresentedTrack]) -> Void

    /// - Parameter present: Replaces the shown tracks. Called with a lock held, so that two threads cannot
    ///   swap the order; must not call the program.
    init(present: @escaping @Sendable ([PresentedTrack]) -> Void) { self.present = present }

    /// Replaces the scheduled items, the audible item first.
    func schedule(_ items: [(item: AVPlayerItem, start: CMTime)]) {
        for (item, _) in items { item.display.displays = self }
        state.withLock { state in
            state.places = items.map { Place(item: $0.item, start: $0.start) }
        }
        update()
    }

    /// Shows the current displays of the scheduled items.
    func update() {
        // Released outside the lock: the release of an item may run any code.
        var items: [AVPlayerItem] = []
        state.withLock { state in
            var tracks: [PresentedTrack] = []
            for place in state.places {
                guard let item = place.item else { continue }
                items.append(item)
                if let track = PresentedTrack(of: item, from: place.start) { tracks.append(track) }
            }
            guard state.isUsed || !tracks.isEmpty else { return }
            state.isUsed = true
            present(tracks)
        }
        withExtendedLifetime(items) {}
    }
}

/// A locked store of an item's display. Any thread.
final class ItemDisplay: Sendable {
    private struct State {
        var value: TuttiSpeakerDisplay?
        weak var displays: SpeakerDisplays?
    }

    private let state = Mutex(State())

    var value: TuttiSpeakerDisplay? {
        get { state.withLock { $0.value } }
        set {
            let displays = state.withLock { state in
                state.value = newValue
                return state.displays
            }
            displays?.update()
        }
    }

    /// The displays of the player that scheduled the item last.
    var displays: SpeakerDisplays? {
        get { state.withLock { $0.displays } }
        set { state.withLock { $0.displays = newValue } }
    }
}

extension AVPlayerItem {
    /// The texts and the picture that speakers' displays show from this item's first audible sample on; `nil`,
    /// the initial value, shows nothing. Tutti's extension.
    ///
    /// May be set at any time from any thread, also while the item is audible. A publication through
    /// `MPNowPlayingInfoCenter` takes precedence until the program clears the publication.
    nonisolated public var tuttiSpeakerDisplay: TuttiSpeakerDisplay? {
        get { display.value }
        set { display.value = newValue }
    }
}

extension PresentedTrack {
    /// Creates the track that displays show of an item; `nil` if it shows none.
    fileprivate init?(of item: AVPlayerItem, from start: CMTime) {
        guard let display = item.display.value else { return nil }
        // Without a duration: a live stream, or not known yet.
        let duration = item.tuttiMedia?.duration
        self.init(
            start: start,
            duration: duration.map { CMTime(seconds: $0, preferredTimescale: 1_000_000) } ?? .invalid,
            metadata: TrackMetadata(display, duration: duration))
    }
}
