import AVFoundation
import AirPlaySender
import Codecs
import MediaTime
import Playback

/// Networks that are too slow, and streams that tell what they play. On the player's queue.
extension Player {
    /// So much is collected after a network was too slow, in seconds.
    private static let refillSeconds = 2.0
    /// With less than this ahead of what is heard, time waits for the network: outputs mix ahead.
    private static let leastSeconds = 0.3

    /// Nothing is there: before what was fed runs out, time stops, so that nothing is skipped.
    func waitIfShort() {
        guard let fedEnd, refillUntil == nil, !isPaused, synchronizer.rate != 0,
            (fedEnd - synchronizer.currentTime()).seconds < Self.leastSeconds
        else { return }
        refillUntil = fedEnd + Self.time(Self.refillSeconds)
        synchronizer.rate = 0
        report.show(
            .warning(code: "slow", speaker: nil, message: "the network is too slow; playing waits for it"))
    }

    /// What is live never comes faster than it is heard: what is ahead at the start is all there will be.
    func collectFirst(_ index: Int) {
        guard fedEnd == nil, refillUntil == nil, !isPaused, let start = tracks.items[index].start else {
            return
        }
        refillUntil = start + Self.time(Self.refillSeconds)
        synchronizer.setRate(0, time: start)
    }

    func goOnIfFilled() {
        if let refillUntil, let fedEnd, fedEnd >= refillUntil { goOn() }
    }

    /// Plays on after a wait.
    func goOn() {
        guard refillUntil != nil else { return }
        refillUntil = nil
        if !isPaused { synchronizer.rate = 1 }
    }

    func showTitles() {
        let now = synchronizer.currentTime()
        while let next = comingTitles.first, next.time <= now {
            comingTitles.removeFirst()
            tracks.noteHeard(next.title, of: next.index)
            report.show(.title(index: next.index, next.title))
        }
    }

    func presentTracks() {
        let known = tracks.items.compactMap { item -> PresentedTrack? in
            guard let start = item.start, let info = item.info else { return nil }
            let duration = info.duration.map { Self.time($0.inSeconds) } ?? .invalid
            return PresentedTrack(
                start: start, duration: duration,
                metadata: TrackMetadata(info, title: item.title, heard: item.heardTitle))
        }
        let coming = comingTitles.compactMap { entry -> PresentedTrack? in
            guard tracks.items.indices.contains(entry.index), let info = tracks.items[entry.index].info else {
                return nil
            }
            return PresentedTrack(
                start: entry.time, duration: .invalid,
                metadata: TrackMetadata(info, title: tracks.items[entry.index].title, heard: entry.title))
        }
        RouteCatalogue.shared.show((known + coming).sorted { $0.start < $1.start })
    }
}
