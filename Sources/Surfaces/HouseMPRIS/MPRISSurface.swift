import Synchronization
import TuttiDBus
import TuttiHouse
import TuttiMPRIS

/// The zones as media players of the desktop, by MPRIS 2 on D-Bus.
///
/// Each zone is a player of its own, with its own connection, because listeners tell players by
/// connections. One thread drives all connections; a task applies changes and asks the house for queues, and
/// so nothing of the house waits for a bus.
package final class MPRISSurface: ControlSurface {
    /// The settings of the surface.
    package struct Configuration: Sendable {
        /// A bus of D-Bus.
        package enum Bus: Sendable {
            /// The session bus if there is one.
            case auto
            /// The session bus.
            case session
            /// The system bus.
            case system
        }

        /// The bus.
        package var bus: Bus
        /// The address of the web pages, such as `http://127.0.0.1:8321`, for pictures; `nil` if there are
        /// none.
        package var web: String?
        /// The library, for track numbers, genres and pictures as files; `nil` without these.
        package var library: (any MPRISLibrary)?
        /// An address of a bus instead of ``bus``'s, for tests.
        package var address: String?
        /// Receives a sentence when the bus fails, and `nil` when it works again. Any thread.
        package var onTrouble: @Sendable (String?) -> Void = { _ in }

        /// Makes a configuration.
        package init(bus: Bus, web: String?) { (self.bus, self.web) = (bus, web) }
    }

    private struct Running {
        let loop: BusLoop
        let players: ZonePlayers
        let task: Task<Void, Never>
        let pictures: PictureFolder?
    }

    /// The word for logs.
    package let name = "mpris"
    private let configuration: Configuration
    private let inbox = ChangeInbox()
    private let running = Mutex<Running?>(nil)

    /// Makes a surface that is not open yet.
    package init(configuration: Configuration) {
        self.configuration = configuration
    }

    /// Shows the zones. A bus that is not there is tried again; with ``Configuration/Bus/auto``, a machine
    /// that has no session bus at this time has no players, and nothing runs.
    package func start(_ house: any HouseControlling) async throws {
        let address = address
        if configuration.bus == .auto, !address.mayExist { return inbox.close() }
        let (loop, isQuiet) = (BusLoop(), configuration.bus == .auto)
        let troubles = BusTroubles(address) { [tell = configuration.onTrouble] sentence in
            if !isQuiet { tell(sentence) }
        }
        // On the system bus, other users' desktops could not read files of this one.
        let pictures =
            configuration.bus == .system || configuration.library == nil ? nil : PictureFolder.standard()
        let details = configuration.library.map { TrackDetailCache($0, pictures: pictures) }
        let players = ZonePlayers(
            house, inbox, on: address, loop: loop,
            mapping: ZoneMapping(web: configuration.web, isPublic: configuration.bus == .system),
            details: details, troubles: troubles)
        let task = Task { [inbox] in
            await players.begin()
            for await _ in inbox.wakes { await players.settle() }
        }
        running.withLock {
            $0 = Running(loop: loop, players: players, task: task, pictures: pictures)
        }
    }

    /// Applies a change.
    package func houseDidChange(_ change: HouseChange) { inbox.add(change) }

    /// Removes the players from the bus.
    package func stop() async {
        inbox.close()
        guard let running = running.withLock({ $0.take() }) else { return }
        running.task.cancel()
        await running.players.removeAll()
        await running.loop.close()
        running.pictures?.removeAll()
    }

    /// Whether players are shown, or tried to be.
    var isRunning: Bool { running.withLock { $0 != nil } }

    private var address: BusAddress {
        if let address = configuration.address { return .address(address) }
        return configuration.bus == .system ? .system : .session
    }
}
