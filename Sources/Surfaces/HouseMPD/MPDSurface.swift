import Synchronization
import TuttiHouse
import TuttiMusicLibrary
import TuttiSystemIO

/// The house as a Music Player Daemon: every zone is a partition, every room an output.
///
/// `docs/mpd.md` tells which commands are answered, and how. Any thread.
package final class MPDSurface: ControlSurface {
    /// The settings of the surface.
    package struct Configuration: Sendable {
        /// The addresses to listen on.
        package var addresses: [SocketAddress]
        /// The password that clients must send; `nil` for none.
        package var password: String?
        /// The folders of the library; absolute paths.
        package var folders: [String]

        /// Makes a configuration without a password.
        package init(addresses: [SocketAddress], folders: [String]) {
            (self.addresses, self.folders) = (addresses, folders)
        }
    }

    private struct State: Sendable {
        /// Set from the start on; another one or `nil` ends a start that is under way.
        var core: ServerCore?
        var listener: ClientListener?
        var addresses: [SocketAddress] = []
    }

    /// The word for logs.
    package let name = "mpd"
    private let configuration: Configuration
    private let library: any LibraryAccess
    private let state = Mutex(State())

    /// Makes a surface that is not open yet.
    package convenience init(configuration: Configuration, library: MusicLibrary) {
        self.init(configuration: configuration, access: library)
    }

    init(configuration: Configuration, access: any LibraryAccess) {
        (self.configuration, library) = (configuration, access)
    }

    /// The addresses that it listens at, with their actual ports; empty while it is closed.
    package var addresses: [SocketAddress] { state.withLock { $0.addresses } }

    /// Listens at the addresses. A machine without IPv6 lacks those of all and of loopback, which is no
    /// error.
    ///
    /// Listens to nothing if ``stop()`` is called meanwhile.
    /// - Throws: An error with a sentence for the user, such as for a port that is in use.
    package func start(_ house: any HouseControlling) async throws {
        let core = ServerCore(
            house: house, library: library, password: configuration.password, folders: configuration.folders)
        // Changes count from here on; those before are in the snapshot.
        state.withLock { $0 = State(core: core) }
        await core.start()
        guard state.withLock({ $0.core === core }) else { return }
        let listener = ClientListener(core)
        do throws(MPDSurfaceError) {
            let addresses = try listener.listen(at: configuration.addresses)
            let isWanted = state.withLock { state in
                guard state.core === core else { return false }
                (state.listener, state.addresses) = (listener, addresses)
                return true
            }
            if !isWanted { listener.close() }
        } catch {
            state.withLock { if $0.core === core { $0 = State() } }
            throw error
        }
    }

    /// Takes a change.
    package func houseDidChange(_ change: HouseChange) { state.withLock { $0.core }?.houseDidChange(change) }

    /// Closes the surface.
    package func stop() async {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        old.listener?.close()
        await old.core?.catalogue.forget()
    }
}
