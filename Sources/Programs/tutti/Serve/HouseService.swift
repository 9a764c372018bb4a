import Foundation
import Playback
import Synchronization
import TuttiHouse
import TuttiHouseWeb
import TuttiMediaTime
import TuttiMusicLibrary
import TuttiServiceHost
import TuttiSystemIO

/// The running service: the house, its library and its surfaces, and the settings in force.
///
/// A reload replaces the library and the web surface where their settings have changed; the music plays on.
actor HouseService {
    private(set) var settings: HouseSettings
    let log: ServiceLog
    private let items: SwitchedLibrary
    let house: House
    private let access: AccessControl
    private let demo: (any DemoControlling)?
    private(set) var library: MusicLibrary
    private var libraryTask: Task<Void, Never>?
    private var web: WebSurface?
    /// The interface for the commands of this program, at a socket in the folder of the state.
    private var shell: WebSurface?
    /// The surfaces besides the web that are open.
    var surfaces: [OptionalSurface: OpenSurface] = [:]
    /// Why surfaces are not open, or do not work, by their names.
    var troubles: [String: Trouble] = [:]
    /// The names of surfaces that could not be opened, and may be later.
    var unopened: Set<String> = []
    private var retries: Task<Void, Never>?

    /// - Throws: An error with a sentence for the user.
    ///
    /// - Parameter change: Changes the house's settings where they differ from those of the file.
    init(
        _ settings: HouseSettings, log: ServiceLog, demo: (any DemoControlling)? = nil,
        change: (inout HouseConfiguration) -> Void = { _ in }
    ) throws {
        (self.settings, self.log, self.demo) = (settings, log, demo)
        library = try MusicLibrary(Self.libraryConfiguration(settings))
        items = SwitchedLibrary(library)
        access = try AccessControl(path: Self.tokenPath(settings))
        var configuration = Self.houseConfiguration(settings)
        configuration.inputs = settings.makeInputs(log: log)
        change(&configuration)
        house = House(configuration: configuration, items: items) { level, message in
            switch level {
            case .info: log.write(.info, message, kind: "house")
            case .notice: log.write(.notice, message, kind: "command")
            case .warning: log.write(.warning, message, kind: "warning")
            }
        }
    }

    // MARK: Life

    /// Opens the surfaces and continues playing. A surface that cannot be opened is a problem of the house, and
    /// is tried again.
    func start() async {
        followLibrary()
        UploadFolder(path: Self.uploadPath(settings)).clear()
        await house.start()
        await openWeb()
        await openShell()
        for kind in OptionalSurface.allCases { await open(kind) }
        startRetries()
    }

    /// Ends everything in order, within two seconds.
    func stop() async {
        await endRetries()
        libraryTask?.cancel()
        await house.stop()
        library.close()
    }

    /// Plays files of the library in rooms, in the first zone.
    func play(_ paths: [String], in rooms: [String]) async {
        let (zone, origin) = (ZoneID(rawValue: 1), CommandOrigin(surface: "demonstration"))
        let moves = rooms.map { HouseCommand.moveRoom(RoomID(rawValue: $0), to: zone) }
        let repeats = [HouseCommand.setRepeat(zone, .all)]
        let play = [HouseCommand.add(zone, paths.map { .location($0) }, .replace)]
        for command in moves + repeats + play {
            do throws(HouseError) { _ = try await house.perform(command, from: origin) } catch {
                log.error(error.description)
            }
        }
    }

    /// Whether the house answers, for the watchdog.
    func isHealthy() async -> Bool { await house.isAlive() }

    /// The addresses of the pages.
    var addresses: [String] { web?.addresses.map { "http://\($0)/" } ?? [] }

    /// The address of the pages for programs on this machine; `nil` without pages.
    var localAddress: String? {
        web?.addresses.first.map { address in
            let loopback = address.address.family == .v4 ? IPAddress.loopbackV4 : .loopbackV6
            let host = address.address.isUnspecified ? loopback : address.address
            return "http://\(SocketAddress(host, port: address.port))"
        }
    }

    // MARK: Reload

    /// Applies new settings as far as a running service can; the log names the rest.
    func reload(_ new: HouseSettings) async {
        // None opens a surface meanwhile.
        await endRetries()
        defer { startRetries() }
        let changes = HouseSettings.changes(from: settings, to: new)
        for change in changes.live { log.notice(change.sentence) }
        for change in changes.restart { log.warning(change.sentence) }
        let old = settings
        settings = settings.applyingLiveChanges(of: new)
        log.level = settings.service.log
        if settings.library != old.library, !replaceLibrary() { settings.library = old.library }
        let reopensWeb = settings.library != old.library || settings.web != old.web || troubles["web"] != nil
        if reopensWeb {
            await closeWeb()
            await openWeb()
        }
        if settings.library != old.library || troubles["shell"] != nil {
            await closeShell()
            await openShell()
        }
        for kind in OptionalSurface.allCases
        where kind.differs(old, settings) || troubles[kind.rawValue] != nil
            || kind == .mpris && reopensWeb
        {
            await close(kind)
            await open(kind)
        }
        await house.setRooms(
            hidden: Set(settings.rooms.hidden), defaultVolume: settings.rooms.defaultVolume)
    }

    /// - Returns: `false` if the library stays as it was.
    private func replaceLibrary() -> Bool {
        do {
            let new = try MusicLibrary(Self.libraryConfiguration(settings))
            library.close()
            library = new
            items.set(new)
            followLibrary()
            return true
        } catch {
            log.error("The library settings were not changed: \(error)")
            return false
        }
    }

    private func followLibrary() {
        libraryTask?.cancel()
        libraryTask = Task { [house, changes = library.changes()] in
            for await state in changes { await house.setLibrary(state) }
        }
    }

    // MARK: Surfaces that could not be opened

    /// The time between two attempts: an address of this machine may come later than the service.
    private static let retryInterval = Duration.seconds(15)

    private func startRetries() {
        guard retries == nil, !unopened.isEmpty else { return }
        retries = Task { [weak self] in
            repeat {
                do { try await Task.sleep(for: HouseService.retryInterval) } catch { return }
            } while await self?.retry() == true
        }
    }

    private func endRetries() async {
        guard let old = retries else { return }
        retries = nil
        old.cancel()
        await old.value
    }

    /// Tries to open each surface that could not be opened.
    ///
    /// - Returns: Whether one is still not open.
    func retry() async -> Bool {
        if unopened.contains("shell") { await openShell() }
        if unopened.contains("web") {
            await openWeb()
            // The desktop's media players name the address of the pages.
            if !unopened.contains("web") {
                await close(.mpris)
                await open(.mpris)
            }
        }
        for kind in OptionalSurface.allCases where unopened.contains(kind.rawValue) { await open(kind) }
        return !unopened.isEmpty
    }

    /// Notes that a surface is open, or not wanted.
    private func noteOpening(of name: String) async {
        troubles[name] = nil
        unopened.remove(name)
        await tellTroubles()
    }

    /// Notes that a surface could not be opened.
    ///
    /// - Parameter mayPass: Whether another attempt may succeed with the same settings.
    func note(_ failure: String, of name: String, mayPass: Bool = true) async {
        troubles[name] = Trouble(code: name, message: failure)
        if mayPass { unopened.insert(name) } else { unopened.remove(name) }
        await tellTroubles()
    }

    // MARK: The web surface

    private func webConfiguration() -> WebSurface.Configuration {
        var configuration = WebSurface.Configuration(
            hostName: ProcessInfo.processInfo.hostName, version: Tutti.version)
        configuration.name = settings.service.name
        configuration.uploadFolder = Self.uploadPath(settings)
        return configuration
    }

    private func openWeb() async {
        guard settings.web.enabled else { return await noteOpening(of: "web") }
        var configuration = webConfiguration()
        configuration.addresses = Self.addresses(settings.web.addresses, port: settings.web.port)
        configuration.otherHostNames = settings.web.names
        configuration.trustsLocal = settings.web.trustThisMachine
        configuration.isOpen = settings.web.access == .open
        let surface = WebSurface(
            configuration: configuration, library: library, access: access, demo: demo)
        do {
            try await house.add(surface)
            web = surface
            log.notice("The house is at \(addresses.joined(separator: " and "))")
            await noteOpening(of: "web")
        } catch {
            await note("The web page cannot be served: \(error)", of: "web")
        }
    }

    private func closeWeb() async {
        guard let web else { return }
        self.web = nil
        await house.remove(web)
    }

    // MARK: The commands of this program

    private func openShell() async {
        var configuration = webConfiguration()
        (configuration.addresses, configuration.surfaceName) = ([], "shell")
        configuration.socketPath = Self.socketPath(settings)
        // The file's permissions say who may.
        configuration.isOpen = true
        let surface = WebSurface(
            configuration: configuration, library: library, access: access, demo: demo)
        do {
            try await house.add(surface)
            shell = surface
            await noteOpening(of: "shell")
        } catch {
            await note("Commands cannot reach the service: \(error)", of: "shell")
        }
    }

    private func closeShell() async {
        guard let shell else { return }
        self.shell = nil
        await house.remove(shell)
    }

    // MARK: Settings

    /// The socket at which the service takes commands of this program.
    static func socketPath(_ settings: HouseSettings) -> String {
        settings.service.database + "/control.sock"
    }

    /// The folder of the sounds that wait to be announced.
    static func uploadPath(_ settings: HouseSettings) -> String {
        settings.service.database + "/announcements"
    }

    /// The file of the tokens that let other machines in.
    static func tokenPath(_ settings: HouseSettings) -> String { settings.service.database + "/tokens" }

    private static func libraryConfiguration(_ settings: HouseSettings) -> LibraryConfiguration {
        var configuration = LibraryConfiguration(
            databasePath: settings.service.database + "/library.db", folders: settings.library.music,
            watchesFolders: settings.library.watch)
        let hours = settings.library.scanInterval
        configuration.rescanInterval = hours > 0 ? .seconds(hours * 3600) : nil
        return configuration
    }

    private static func houseConfiguration(
        _ settings: HouseSettings
    ) -> HouseConfiguration {
        var configuration = HouseConfiguration()
        configuration.statePath = settings.service.database + "/house.db"
        configuration.options.senderName = settings.service.name
        configuration.options.localAddress = settings.service.address
        configuration.options.clockPorts = settings.service.clockPorts.map { ($0.event, $0.general) }
        configuration.options.preference = settings.playback.prefer == .depth ? .depth : .lossless
        configuration.hidden = Set(settings.rooms.hidden)
        configuration.defaultVolume = settings.rooms.defaultVolume
        configuration.speakers = settings.rooms.addresses.map { HouseSpeaker(address: "\($0.address)") }
        configuration.outputs = settings.rooms.outputs
        configuration.resumesPlaying = settings.playback.resume == .asItWas
        return configuration
    }
}

/// The library in use, which a reload replaces. Any thread.
final class SwitchedLibrary: ItemResolving {
    private let library: Mutex<MusicLibrary>

    init(_ library: MusicLibrary) { self.library = Mutex(library) }

    func set(_ library: MusicLibrary) { self.library.withLock { $0 = library } }

    func tracks(of items: [LibraryItem]) async throws(LibraryError) -> [PlayableTrack] {
        try await library.withLock { $0 }.tracks(of: items)
    }
}
