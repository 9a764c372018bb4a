import AirPlayMessages
import AirPlaySender
import CoreMedia
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The speakers of the current route as a surface: their displays show the publications when they are heard,
/// and their buttons send commands.
///
/// The surface stands between a ``NowPlayingHub`` and the group of speakers. `show` receives tracks on the
/// presentation timeline; ``take(_:)`` takes the group's events, and ``take(_:from:answer:)`` the DACP
/// requests. Any thread.
package final class SpeakerSurface: NowPlayingSurface {
    /// Facts of one speaker that its buttons need.
    struct Member: Sendable {
        /// The speaker among the outputs.
        let option: RouteOption.ID
        /// The volume 100 of this program, in percent of the speaker's own scale.
        let maximumVolume: Double
    }

    private struct State {
        var presentation = SpeakerPresentation()
        var line: PresentationLine?
        /// The speakers, by address.
        var speakers: [IPAddress: NamedSpeaker] = [:]
        /// The members of the group, by their keys.
        var members: [String: Member] = [:]
        /// The command of a held fast-forward or rewind button.
        var winding: RemoteCommand?
    }

    private let hub: NowPlayingHub
    private let clock: any HostClock
    private let routes: @Sendable () -> (any RouteChoosing)?
    private let showTracks = Mutex<@Sendable ([PresentedTrack]) -> Void>({ _ in })
    private let state = Mutex(State())
    private let queue: SerialQueue

    /// Makes a surface; ``start(showing:)`` attaches it to the hub.
    ///
    /// - Parameters:
    ///   - machine: Time and queues.
    ///   - routes: The outputs among which a speaker is found, for volume commands; `nil` for none.
    package init(
        hub: NowPlayingHub, machine: any Machine, routes: @escaping @Sendable () -> (any RouteChoosing)?
    ) {
        (self.hub, self.routes) = (hub, routes)
        clock = machine
        queue = machine.makeQueue("tutti.displays")
    }

    /// Attaches the surface to the hub.
    ///
    /// - Parameter show: Called with the tracks for the displays, which replace earlier tracks; on one queue,
    ///   in order.
    package func start(showing show: @escaping @Sendable ([PresentedTrack]) -> Void) {
        showTracks.withLock { $0 = show }
        hub.attach(self)
    }

    /// Detaches the surface from the hub.
    package func stop() { hub.detach(self) }

    // MARK: From the program

    package func show(_ snapshot: NowPlayingSnapshot) {
        let now = clock.now
        tell { $0.presentation.publish(snapshot, at: now) }
    }

    package func enable(_ commands: RemoteCommandSet) {}

    // MARK: From playback

    /// Updates the line of the audible sound; to be called on every change, including starts and stops.
    ///
    /// - Parameter line: `nil` if no sound can be heard.
    package func lineDidChange(_ line: PresentationLine?) {
        let now = clock.now
        tell { state in
            state.line = line
            return state.presentation.lineDidChange(line, at: now)
        }
    }

    /// Posts the tracks with the lock held, so that two threads cannot swap their order.
    private func tell(_ change: (inout State) -> Bool) {
        let show = showTracks.withLock { $0 }
        state.withLock { state in
            let tracks = change(&state) ? state.presentation.tracks : []
            if !tracks.isEmpty { queue.async { show(tracks) } }
        }
    }

    // MARK: From the speakers

    /// Takes an event of the group. Only buttons and the speakers' addresses matter here.
    package func take(_ event: SpeakerGroupEvent) {
        switch event {
        case .opened(let speaker, let address, _, _):
            guard let host = Self.host(in: address) else { return }
            state.withLock { state in
                if state.speakers.count >= Self.speakerLimit { state.speakers = [:] }
                state.speakers[host] = speaker
            }
        case .command(let speaker, .mediaRemote(let button)):
            if let command = command(of: button) { send(command, from: origin(of: speaker)) { _ in } }
        case .state(let speaker, .closed):
            state.withLock { state in
                state.speakers = state.speakers.filter { $0.value.id != speaker.id }
            }
        case .state, .chosen, .opening, .clock, .warning, .command:
            break
        }
    }

    /// Replaces what is known of the speakers, by their keys.
    func setMembers(_ members: [String: Member]) { state.withLock { $0.members = members } }

    /// Returns whether a speaker has a session at this address.
    package func reaches(_ address: IPAddress) -> Bool { state.withLock { $0.speakers[address] != nil } }

    /// Takes a DACP request.
    ///
    /// - Parameters:
    ///   - address: The address of the requesting speaker.
    ///   - answer: Called once, on any thread.
    package func take(
        _ request: DACPCommand, from address: IPAddress, answer: @escaping @Sendable (DACPAnswer) -> Void
    ) {
        // The speaker's session also reports a takeover by another sender.
        if case .preventPlayback = request { return answer(.done) }
        if case .busy = request { return answer(.done) }
        let speaker = state.withLock { $0.speakers[address] }
        guard let command = command(of: request, from: speaker) else { return answer(.unknown) }
        send(command, from: origin(of: speaker)) { answer(DACPAnswer($0)) }
    }

    /// An upper bound, above the size of any group.
    private static let speakerLimit = 256

    /// Returns the address in `address:port` or `[address]:port`.
    static func host(in text: String) -> IPAddress? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let host = text[..<colon]
        return IPAddress(host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : String(host))
    }

    private func origin(of speaker: NamedSpeaker?) -> RemoteCommandOrigin {
        guard let speaker else { return RemoteCommandOrigin(surface: "airplay", route: nil) }
        if let member = state.withLock({ $0.members[speaker.id] }) {
            return RemoteCommandOrigin(surface: "airplay", route: member.option)
        }
        let selected = (routes()?.options ?? []).filter { $0.kind == .airPlay && $0.isSelected }
        // A name counts only where one speaker has it.
        let named = selected.filter { $0.name == speaker.name }
        let option = selected.first { $0.id == speaker.id } ?? (named.count == 1 ? named.first : nil)
        return RemoteCommandOrigin(surface: "airplay", route: option?.id)
    }

    /// Sends a command. Falls back from play or pause to the toggle, because a program may handle only the
    /// toggle.
    private func send(
        _ command: RemoteCommand, from origin: RemoteCommandOrigin,
        completion: @escaping @Sendable (RemoteCommandOutcome) -> Void
    ) {
        let hub = hub
        hub.send(command, from: origin) { outcome in
            guard outcome == .unsupported, command == .play || command == .pause else {
                return completion(outcome)
            }
            hub.send(.togglePlayPause, from: origin, completion: completion)
        }
    }

    // MARK: Translation

    /// Whether sound plays, according to the timeline, else to the program.
    private var isPlaying: Bool { state.withLock { $0.line }.map { $0.rate != 0 } ?? hub.snapshot.isPlaying }

    /// Translates a button. Some speakers confuse play and pause, so either button toggles.
    private func command(of button: MediaRemoteCommand) -> RemoteCommand? {
        switch button {
        case .play, .pause: isPlaying ? .pause : .play
        case .nextItem: .nextTrack
        case .previousItem: .previousTrack
        default: nil
        }
    }

    private func command(of request: DACPCommand, from speaker: NamedSpeaker?) -> RemoteCommand? {
        switch request {
        case .play: .play
        case .pause, .discretePause: .pause
        case .playPause: .togglePlayPause
        case .stop: .stop
        case .nextItem: .nextTrack
        case .previousItem: .previousTrack
        case .beginFastForward: wind(.seekForward(.begin))
        case .beginRewind: wind(.seekBackward(.begin))
        case .playResume: resume()
        case .volumeUp: .volumeUp
        case .volumeDown: .volumeDown
        case .toggleMute: .toggleMute
        case .volume(let volume): .setVolume(percent: scaled(volume, from: speaker))
        case .toggleShuffle:
            .changeShuffleMode(hub.commands.shuffleMode == .off ? .items : .off)
        case .shuffle(let isOn): .changeShuffleMode(isOn ? .items : .off)
        case .repeatMode(let mode): .changeRepeatMode(mode == 1 ? .one : mode == 2 ? .all : .off)
        case .playingTime(let milliseconds): .changePosition(seconds: Double(milliseconds) / 1000)
        case .preventPlayback, .busy, .other: nil
        }
    }

    /// Returns a speaker's own volume in percent of its maximum; above the maximum, 100.
    private func scaled(_ volume: Volume, from speaker: NamedSpeaker?) -> Double {
        let member = speaker.flatMap { speaker in state.withLock { $0.members[speaker.id] } }
        let maximum = member?.maximumVolume ?? 100
        return maximum > 0 ? min(100, volume.percent * 100 / maximum) : 100
    }

    private func wind(_ command: RemoteCommand) -> RemoteCommand {
        state.withLock { $0.winding = command }
        return command
    }

    /// Ends fast-forward or rewind; otherwise plays.
    private func resume() -> RemoteCommand {
        switch state.withLock({ $0.winding.take() }) {
        case .seekForward: .seekForward(.end)
        case .seekBackward: .seekBackward(.end)
        default: .play
        }
    }
}

extension DACPAnswer {
    init(_ outcome: RemoteCommandOutcome) {
        switch outcome {
        case .success: self = .done
        case .unsupported: self = .unknown
        case .noSuchContent, .noActionableItem, .deviceNotFound: self = .notThere
        case .failed: self = .failed
        }
    }
}
