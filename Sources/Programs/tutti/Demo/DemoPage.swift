import Foundation
import Synchronization
import TuttiClockService
import TuttiCommandLineInterface
import TuttiHouse
import TuttiHouseWeb
import TuttiServiceHost
import TuttiSystemIO

/// The demonstration in the browser: the service with three rooms, each behind a relay whose plug a button pulls.
///
/// The speakers run in their own process, as they would in a house.
struct DemoPage {
    /// Names of the tracks, one for each tune.
    private static let titles = ["Morning", "Noon", "Evening"]
    /// Seconds of each track: longer than most speakers' buffers take to fill.
    private static let trackSeconds = 100
    /// Tells a child process to be the speakers.
    static let speakersVariable = "TUTTI_DEMO_SPEAKERS"

    let folder: URL

    func run() async throws {
        DemoCommand.say("Composing three tracks …")
        let tracks = try compose()
        let speakers = try DemoSpeakers.launch(folder: folder)
        defer { speakers.process.terminate() }
        let relays = try DemoPlan.pageRooms.map {
            ($0.door, try relay(for: $0, clockPorts: speakers.clockPorts))
        }
        let log = ServiceLog(level: .warning, to: STDERR_FILENO, .of(STDERR_FILENO, journalStream: nil))
        let service = try HouseService(
            settings(speakers.clockPorts), log: log, demo: DemoCuts(relays)
        ) { configuration in
            configuration.searches = false
            configuration.speakers = DemoPlan.pageRooms.map {
                HouseSpeaker(address: "\($0.door):\(DemoPlan.port)", name: $0.name)
            }
        }
        await service.start()
        guard let address = await service.addresses.first else {
            let reason = await service.troubles["web"]?.message
            await service.stop()
            log.flush(within: .seconds(1))
            throw UsageError(reason ?? "the page cannot be served")
        }
        await service.play(tracks, in: DemoPlan.pageRooms.map { "\($0.door):\(DemoPlan.port)" })
        DemoCommand.say(
            "",
            "Three rooms play. Open \(address), cut a room's connection, and watch it play",
            "on from its buffer. Ctrl-C ends the demonstration.")
        await SignalStream.runUntilTermination()
        await service.stop()
        log.flush(within: .seconds(1))
    }

    private func compose() throws -> [String] {
        let music = folder.appendingPathComponent("music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        return try zip(DemoMusic.Tune.allCases, Self.titles).map { tune, title in
            let path = music.appendingPathComponent("\(title).wav").path
            try DemoMusic(tune, seconds: Self.trackSeconds).write(to: path)
            return path
        }
    }

    private func relay(for room: DemoPlan.Room, clockPorts: [UInt16]) throws -> DemoRelay {
        try DemoRelay(
            DemoRelay.Ends(
                nearAddress: room.door, farAddress: DemoPlan.farEnd(of: room), sender: DemoPlan.sender,
                speaker: room.address, ports: [DemoPlan.port] + Array(DemoPlan.streamPorts),
                clockPorts: clockPorts))
    }

    private func settings(_ clockPorts: [UInt16]) -> HouseSettings {
        let state = folder.appendingPathComponent("demo-state").path
        // Each demonstration starts from scratch; before the first one there is nothing to remove.
        try? FileManager.default.removeItem(atPath: state)
        var settings = HouseSettings(name: "Tutti's demonstration", database: state)
        settings.service.address = DemoPlan.sender
        settings.service.clockPorts = .init(event: clockPorts[0], general: clockPorts[1])
        settings.library.music = [folder.appendingPathComponent("music").path]
        // A service that runs on this machine has the usual port.
        if Self.isTaken(settings.web.port) { settings.web.port = 0 }
        return settings
    }

    /// Whether another program listens at a port where the page would be.
    private static func isTaken(_ port: UInt16) -> Bool {
        [IPAddress.loopbackV4, .loopbackV6].contains { address in
            do throws(SystemError) {
                _ = try TCPListener(at: SocketAddress(address, port: port))
                return false
            } catch {
                return error.isAddressInUse
            }
        }
    }
}

/// The plugs of the demonstration's rooms.
private final class DemoCuts: DemoControlling {
    private let relays: [(room: RoomID, relay: DemoRelay)]
    private let cut = Mutex<Set<RoomID>>([])

    init(_ relays: [(IPAddress, DemoRelay)]) {
        self.relays = relays.map { (RoomID(rawValue: "\($0.0):\(DemoPlan.port)"), $0.1) }
    }

    func cuts() async -> [(room: RoomID, isCut: Bool)] {
        let cut = cut.withLock { $0 }
        return relays.map { ($0.room, cut.contains($0.room)) }
    }

    func setCut(_ room: RoomID, _ isCut: Bool) async throws(HouseError) {
        guard let relay = relays.first(where: { $0.room == room })?.relay else {
            throw HouseError(.notFound, "The demonstration has no room '\(room)'.")
        }
        if isCut { relay.cut() } else { relay.heal() }
        _ = cut.withLock { isCut ? $0.insert(room).inserted : $0.remove(room) != nil }
    }
}

/// The three speakers of the demonstration in the browser, in their own process.
enum DemoSpeakers {
    /// A child process that runs the speakers until it or its parent ends.
    struct Child {
        let process: Process
        let clockPorts: [UInt16]
        /// Its end is the end of the child's standard input.
        let lifeline: Pipe
    }

    /// Starts the child, and returns once its speakers run.
    static func launch(folder: URL) throws -> Child {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["demo", "--folder", folder.path]
        var environment = ProcessInfo.processInfo.environment
        environment[DemoPage.speakersVariable] = "1"
        process.environment = environment
        let (lifeline, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (lifeline, output)
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let ports = line.split(whereSeparator: { !$0.isNumber }).compactMap { UInt16($0) }
        guard ports.count == 2 else { throw UsageError("the speakers did not start: \(line)") }
        return Child(process: process, clockPorts: ports, lifeline: lifeline)
    }

    /// Runs the speakers, in the child. Prints the clock's ports on a line when they run.
    static func run() async throws {
        let (clock, ports) = try clock()
        let hosts = try DemoPlan.pageRooms.map { room in
            var options = SpeakerHost.Options(name: room.name)
            options.output = try .init(parsing: "null@\(room.ppm)ppm")
            options.addresses = [room.address]
            options.port = DemoPlan.port
            (options.isAdvertised, options.isStored) = (false, false)
            options.streamPorts = DemoPlan.streamPorts
            return try SpeakerHost(options, clock: clock) { _ in }
        }
        DemoCommand.say("\(ports.event) \(ports.general)")
        await SignalStream.runUntilTermination({
            // Ends with the parent.
            while await StandardInput.line() != nil {}
            return true
        })
        for host in hosts { await host.close() }
        await clock.close()
    }

    private static func clock() throws -> (ClockService, (event: UInt16, general: UInt16)) {
        var configuration = ClockService.Configuration()
        configuration.addresses = DemoPlan.pageRooms.map(\.address)
        do { return (try ClockService(configuration: configuration), (319, 320)) } catch {
            let ports = DemoPlan.unprivilegedClockPorts
            (configuration.eventPort, configuration.generalPort) = ports
            return (try ClockService(configuration: configuration), ports)
        }
    }
}
