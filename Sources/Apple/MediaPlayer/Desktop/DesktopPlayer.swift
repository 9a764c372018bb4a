import Foundation
import Playback
import Synchronization
import TuttiDBus
import TuttiMediaTime
import TuttiMPRIS
import TuttiSystemIO

/// A program as a media player of the desktop, by MPRIS on the session bus.
///
/// A surface of a hub like the speakers: it shows the program's publications, and sends the desktop's
/// commands to the program's handlers. It takes its name on the bus with the first publication. Without a
/// session bus it does not exist; a bus that dies is tried again.
final class DesktopPlayer: NowPlayingSurface {
    private struct State {
        var mapping: DesktopMapping
        var snapshot: NowPlayingSnapshot
        var commands = RemoteCommandSet()
        var volume: Double?
        var art: String?
        var player: PlayerObject?
        var observation: RouteObservation?
    }

    /// The hub keeps this surface.
    private weak let hub: NowPlayingHub?
    private let address: BusAddress
    private let name: String
    private let pictures: PictureFolder?
    private let clock: any HostClock
    private let routes: any RouteChoosing
    private let loop = BusLoop()
    private let state: Mutex<State>

    /// - Parameter name: The program's name, for the bus and for people.
    init(
        _ hub: NowPlayingHub, name: String, on address: BusAddress, pictures: PictureFolder?,
        clock: any HostClock = SystemClock(), routes: any RouteChoosing = CurrentRoutes.shared
    ) {
        (self.hub, self.name, self.address, self.pictures) = (hub, name, address, pictures)
        (self.clock, self.routes) = (clock, routes)
        state = Mutex(State(mapping: DesktopMapping(identity: name), snapshot: .nothing(at: clock.now)))
    }

    /// Follows the hub from now on.
    func start() {
        let observation = routes.observe { [weak self] in self?.show($0) }
        let volume = Self.volume(of: routes.options)
        state.withLock { state in
            state.observation = observation
            state.volume = volume
        }
        hub?.attach(self)
    }

    // MARK: From the program

    func show(_ snapshot: NowPlayingSnapshot) {
        // The hub's queue of this surface may wait for the disk.
        let kept = state.withLock { ($0.snapshot.artwork, $0.art) }
        let isSame = snapshot.artwork == kept.0 && kept.1.map { pictures?.renew($0) ?? false } ?? true
        let art = isSame ? kept.1 : snapshot.artwork.flatMap { pictures?.store($0) }
        update { state in (state.snapshot, state.art) = (snapshot, art) }
    }

    func enable(_ commands: RemoteCommandSet) { update { $0.commands = commands } }

    private func show(_ options: [RouteOption]) {
        let volume = Self.volume(of: options)
        update { $0.volume = volume }
    }

    private static func volume(of options: [RouteOption]) -> Double? {
        options.filter(\.isSelected).compactMap(\.volume).max()
    }

    private func update(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            let facts = DesktopMapping.Facts(
                snapshot: state.snapshot, commands: state.commands, volume: state.volume, art: state.art)
            let new = state.mapping.state(of: facts, at: (clock.now, .now))
            if let player = state.player { return player.update(new) }
            // A program that has published nothing yet is no player.
            if !state.snapshot.isEmpty { state.player = makePlayer(new) }
        }
    }

    private func makePlayer(_ state: PlayerState) -> PlayerObject {
        PlayerObject(
            name: BusName.part(name), number: getpid(), state: state, on: address, loop: loop,
            perform: { [weak self] command, responder in
                guard let self else { return }
                perform(command, responder)
            })
    }

    // MARK: From the desktop

    private func perform(_ command: PlayerCommand, _ responder: BusResponder) {
        let (isPlaying, volume) = state.withLock { ($0.snapshot.isPlaying, $0.volume) }
        if case .setVolume = command, volume == nil {
            let sentence = "The volume of this output is not known. Use that of the system."
            return responder.reply(.failure(BusFailure(.notSupported, sentence)))
        }
        send(DesktopMapping.commands(for: command, isPlaying: isPlaying)[...], responder)
    }

    /// Offers commands until the program takes one.
    private func send(_ commands: ArraySlice<RemoteCommand>, _ responder: BusResponder) {
        guard let first = commands.first else {
            return responder.reply(
                .failure(BusFailure(.notSupported, "\(name) does not accept this command.")))
        }
        guard let hub else { return }
        hub.send(first, from: RemoteCommandOrigin(surface: "mpris")) { [self] outcome in
            switch outcome {
            case .success: responder.reply(.values([]))
            case .unsupported: send(commands.dropFirst(), responder)
            case .noSuchContent, .noActionableItem, .deviceNotFound, .failed:
                responder.reply(.failure(BusFailure(.failed, "\(name) could not carry out the command.")))
            }
        }
    }
}
