import Foundation
import Playback
import TuttiMediaTime
import TuttiMPRIS

/// The translation between a program's publications and a media player of the desktop. A value.
struct DesktopMapping: Sendable {
    /// The program's name, for people.
    let identity: String
    private var item = 0
    private var last: NowPlayingSnapshot?

    init(identity: String) { self.identity = identity }

    /// The facts from which a player's state is made.
    struct Facts: Sendable {
        var snapshot: NowPlayingSnapshot
        var commands: RemoteCommandSet
        /// The volume of the loudest playing output in percent; `nil` if none is known.
        var volume: Double?
        /// The address of the picture on this machine.
        var art: String?
    }

    /// Returns the player's state.
    ///
    /// - Parameter now: The same moment on both clocks.
    mutating func state(
        of facts: Facts, at now: (host: HostTime, instant: SuspendingClock.Instant)
    ) -> PlayerState {
        let (snapshot, commands) = (facts.snapshot, facts.commands)
        // A new item needs a new identity, by which listeners tell tracks apart.
        if !(last.map { snapshot.isSameItem(as: $0) } ?? false) { item += 1 }
        last = snapshot
        var state = PlayerState(identity: identity)
        state.playback = Self.playback(snapshot)
        let age = now.host.since(snapshot.elapsedHostTime)
        state.position = PlayerPosition(
            seconds: snapshot.elapsed ?? 0, at: now.instant - age,
            rate: snapshot.isPlaying && snapshot.elapsed != nil ? snapshot.rate : 0)
        // MPRIS has the speed of a paused player too, which must not be 0.
        let speed = snapshot.rate > 0 ? snapshot.rate : snapshot.defaultRate
        state.rate = speed > 0 ? speed : 1
        let rates = commands.enabled.contains(.changeRate) ? commands.rates.filter { $0 > 0 } : []
        state.rates = min(state.rate, rates.min() ?? 1)...max(state.rate, rates.max() ?? 1)
        state.volume = (facts.volume ?? 100) / 100
        setModes(&state, commands)
        setAbilities(&state, snapshot, commands)
        if !snapshot.isEmpty { state.track = track(snapshot, art: facts.art) }
        return state
    }

    private static func playback(_ snapshot: NowPlayingSnapshot) -> PlayerState.Playback {
        if snapshot.isEmpty || snapshot.state == .stopped { return .stopped }
        return snapshot.isPlaying ? .playing : .paused
    }

    private func setModes(_ state: inout PlayerState, _ commands: RemoteCommandSet) {
        if commands.enabled.contains(.changeRepeatMode) {
            state.loop =
                switch commands.repeatMode {
                case .off: PlayerState.Loop.none
                case .one: .track
                case .all: .playlist
                }
        }
        if commands.enabled.contains(.changeShuffleMode) { state.isShuffled = commands.shuffleMode != .off }
    }

    private func setAbilities(
        _ state: inout PlayerState, _ snapshot: NowPlayingSnapshot, _ commands: RemoteCommandSet
    ) {
        let enabled = commands.enabled
        state.canControl = !enabled.isEmpty
        state.canGoNext = enabled.contains(.nextTrack)
        state.canGoPrevious = enabled.contains(.previousTrack)
        let canToggle = enabled.contains(.togglePlayPause)
        let hasItem = !snapshot.isEmpty
        state.canPlay = hasItem && (canToggle || enabled.contains(.play))
        state.canPause = hasItem && (canToggle || enabled.contains(.pause))
        state.canSeek =
            enabled.contains(.changePosition) && snapshot.duration != nil && !snapshot.isLiveStream
    }

    private func track(_ snapshot: NowPlayingSnapshot, art: String?) -> PlayerTrack {
        var track = PlayerTrack(id: "/tutti/item/\(item)")
        (track.title, track.album) = (snapshot.title, snapshot.album)
        track.artists = snapshot.artist.map { [$0] } ?? []
        track.albumArtists = snapshot.albumArtist.map { [$0] } ?? []
        track.genres = snapshot.genre.map { [$0] } ?? []
        track.composers = snapshot.composer.map { [$0] } ?? []
        (track.trackNumber, track.discNumber) = (snapshot.trackNumber, snapshot.discNumber)
        track.length = snapshot.isLiveStream ? nil : snapshot.duration
        track.address = snapshot.assetURL.map { FileAddress.withoutUser($0.absoluteString) }
        track.art = art
        return track
    }

    /// Returns the commands for a program, the first that it takes to be used; none for one that no program
    /// has.
    ///
    /// - Parameter isPlaying: Decides what a toggle stands for.
    static func commands(for command: PlayerCommand, isPlaying: Bool) -> [RemoteCommand] {
        switch command {
        case .next: [.nextTrack]
        case .previous: [.previousTrack]
        case .play: isPlaying ? [.play] : [.play, .togglePlayPause]
        case .pause: isPlaying ? [.pause, .togglePlayPause] : [.pause]
        case .playPause: [.togglePlayPause, isPlaying ? .pause : .play]
        case .stop: [.stop, .pause]
        case .seek(let seconds): [.changePosition(seconds: seconds)]
        case .setRate(let rate): [.changeRate(rate)]
        case .setLoop(let loop):
            switch loop {
            case .none: [.changeRepeatMode(.off)]
            case .track: [.changeRepeatMode(.one)]
            case .playlist: [.changeRepeatMode(.all)]
            }
        case .setShuffle(let isOn): [.changeShuffleMode(isOn ? .items : .off)]
        case .setVolume(let volume): [.setVolume(percent: volume * 100)]
        case .raise, .quit, .open, .addTrack, .removeTrack, .goTo: []
        }
    }
}
