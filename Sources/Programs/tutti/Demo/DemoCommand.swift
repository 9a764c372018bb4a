import AirPlayReceiver
import Foundation
import TuttiClockService
import TuttiCommandLineInterface
import TuttiMediaTime
import TuttiSystemIO

/// The command `tutti demo`: three speakers in this process, music to all of them, and a report.
enum DemoCommand: Command {
    static let declaration = CommandDeclaration(
        name: "demo",
        summary:
            "Play to three speakers on this machine, cut a connection, edit the queue, and measure",
        examples: [
            CommandExample("tutti demo", "measurements as text"),
            CommandExample("tutti demo --page", "three rooms in the browser"),
        ],
        discussion: """
            Needs no loudspeaker and no network. Each room writes its sound to a wave file, with a device
            clock that is off by a different amount.
            """,
        options: [
            .flag(
                "page",
                "Play until Ctrl-C; on a page in the browser,\na button for each room cuts its connection"
            ),
            .value("folder", "FOLDER", .file, "Folder for the wave files; tutti-demo by default"),
            .flag("verbose", short: "v", "Print the sender's events"),
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let folder = URL(fileURLWithPath: arguments.value("folder") ?? "tutti-demo")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            if ProcessInfo.processInfo.environment[DemoPage.speakersVariable] != nil {
                try await DemoSpeakers.run()
                return .success
            }
            if arguments.flag("page") {
                try await DemoPage(folder: folder).run()
                return .success
            }
            let result = try await DemoRun(folder: folder, isVerbose: arguments.flag("verbose")).run()
            for line in result.lines { say(line) }
            say("", "The rooms' wave files are in \(folder.path)")
            return result.isGood ? .success : .failure
        } catch {
            Console.error("tutti demo", "\(error)")
            return .failure
        }
    }

    static func say(_ lines: String...) { for line in lines { StandardStream.output.line(line) } }
}

/// A run of the demonstration, from the first speaker to the report.
struct DemoRun {
    let folder: URL
    let isVerbose: Bool

    func run() async throws -> DemoResult {
        let pieces = try music()
        let (clock, ports) = try clock()
        var hosts: [SpeakerHost] = []
        for room in DemoPlan.rooms { hosts.append(try host(room, clock: clock)) }
        let relay = try relay(for: DemoPlan.rooms[2], clockPorts: [clock.eventPort, clock.generalPort])
        DemoCommand.say(
            "Three speakers run: " + DemoPlan.rooms.map(\.name).joined(separator: ", ")
                + ". Their device clocks are off by \(DemoPlan.rooms.map { "\(Int($0.ppm))" }.joined(separator: ", ")) ppm."
        )
        var result = DemoResult()
        let sender = try DemoSender(senderArguments(pieces, ports: ports))
        await follow(sender, relay: relay, pieces: pieces, result: &result)
        let status = sender.wait()
        if status != 0 { result.notes.append("the sender ended with status \(status)") }
        result.missingFrames = zip(DemoPlan.rooms, hosts).map { ($0.name, $1.missingFrames) }
        for host in hosts { await host.close() }
        await clock.close()
        measureCost(&result)
        try measureSound(sender, &result)
        return result
    }

    // MARK: Preparation

    private func music() throws -> [String] {
        try zip(DemoMusic.Tune.allCases, DemoPlan.pieceSeconds).enumerated().map { index, piece in
            let path = folder.appendingPathComponent("piece-\(index + 1).wav").path
            try DemoMusic(piece.0, seconds: piece.1).write(to: path)
            return path
        }
    }

    /// Opens the clock of the three speakers; returns the ports that the sender must use, or `nil` for the
    /// standard ports.
    private func clock() throws -> (ClockService, (event: UInt16, general: UInt16)?) {
        var configuration = ClockService.Configuration()
        configuration.addresses = DemoPlan.rooms.map(\.address)
        do {
            return (try ClockService(configuration: configuration), nil)
        } catch {
            let ports = DemoPlan.unprivilegedClockPorts
            DemoCommand.say(
                "\(error)",
                "The demo uses the UDP ports \(ports.event) and \(ports.general) instead, which Tutti's own speakers accept."
            )
            (configuration.eventPort, configuration.generalPort) = ports
            return (try ClockService(configuration: configuration), ports)
        }
    }

    private func host(_ room: DemoPlan.Room, clock: ClockService) throws -> SpeakerHost {
        var options = SpeakerHost.Options(name: room.name)
        options.output = try .init(parsing: "wave:\(wavePath(room))@\(room.ppm)ppm")
        options.addresses = [room.address]
        options.port = DemoPlan.port
        options.isAdvertised = false
        options.isStored = false
        options.streamPorts = DemoPlan.streamPorts
        return try SpeakerHost(options, clock: clock) { DemoCommand.say("  \(room.name): \($0)") }
    }

    private func wavePath(_ room: DemoPlan.Room) -> String {
        let name = room.name.lowercased().replacingOccurrences(of: " ", with: "-")
        return folder.appendingPathComponent("\(name).wav").path
    }

    private func relay(for room: DemoPlan.Room, clockPorts: [UInt16]) throws -> DemoRelay {
        try DemoRelay(
            DemoRelay.Ends(
                nearAddress: room.door, farAddress: DemoPlan.relayFarEnd, sender: DemoPlan.sender,
                speaker: room.address, ports: [DemoPlan.port] + Array(DemoPlan.streamPorts),
                clockPorts: clockPorts))
    }

    private func senderArguments(_ pieces: [String], ports: (event: UInt16, general: UInt16)?)
        -> [String]
    {
        var arguments = [
            "play", pieces[0], pieces[1], "--json", "--address", "\(DemoPlan.sender)", "--volume", "100",
        ]
        for room in DemoPlan.rooms { arguments += ["--to", "\(room.door):\(DemoPlan.port)"] }
        if let ports { arguments += ["--clock-ports", "\(ports.event),\(ports.general)"] }
        return arguments
    }

    // MARK: Events

    private func follow(
        _ sender: DemoSender, relay: DemoRelay, pieces: [String], result: inout DemoResult
    ) async {
        var first: Double?
        var ahead: [String: Double] = [:]
        var steps = ["cut", "edit", "heal"]
        for await event in sender.events {
            if isVerbose || ["warning", "error"].contains(event.name) {
                // The demonstration cuts a link on purpose: what the sender says of that is no complaint to a newcomer.
                let kind = event.name == "warning" ? "notices" : event.name
                DemoCommand.say("  the sender \(kind): \(event.text)")
            }
            if event.name == "playing", first == nil { first = event.time }
            if event.name == "progress" { ahead = event.ahead }
            guard let first else { continue }
            let time = event.time - first
            if steps.first == "cut", time >= DemoPlan.cut {
                steps.removeFirst()
                for room in DemoPlan.rooms {
                    result.ahead.append(
                        (room.name, ahead["\(room.door):\(DemoPlan.port)"] ?? ahead["\(room.door)"] ?? 0))
                }
                DemoCommand.say("At \(Int(time)) s: the connection to \(DemoPlan.rooms[2].name) is cut")
                relay.cut()
            } else if steps.first == "edit", time >= DemoPlan.edit {
                steps.removeFirst()
                DemoCommand.say(
                    "At \(Int(time)) s: the second piece, already in the speakers, is replaced by a third")
                sender.send("insert 2 \(pieces[2])")
                sender.send("remove 1")
            } else if steps.first == "heal", time >= DemoPlan.heal {
                steps.removeFirst()
                DemoCommand.say("At \(Int(time)) s: the connection is back")
                relay.heal()
            }
        }
    }

    // MARK: Measurement

    private func measureCost(_ result: inout DemoResult) {
        func seconds(_ who: Int32) -> (cpu: Double, megabytes: Double) {
            var usage = rusage()
            getrusage(who, &usage)
            let cpu = [usage.ru_utime, usage.ru_stime].reduce(0) {
                $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
            }
            return (cpu, Double(usage.ru_maxrss) / 1000)
        }
        (result.senderCPU, result.senderMegabytes) = seconds(Int32(RUSAGE_CHILDREN.rawValue))
        (result.speakersCPU, result.speakersMegabytes) = seconds(Int32(RUSAGE_SELF.rawValue))
    }

    private func measureSound(_ sender: DemoSender, _ result: inout DemoResult) throws {
        let heard = try DemoPlan.rooms.map { room in
            try RoomRecording(wavePath: wavePath(room), timesPath: wavePath(room) + ".times")
        }
        guard let start = heard[0].firstSound else { return }
        let began = heard[0].host(of: Double(start)) / 1e9
        result.firstSound = began - sender.started
        for (room, recording) in zip(DemoPlan.rooms, heard).dropFirst() {
            result.apart.append((room.name, WaveComparison.offsets(heard[0], recording)))
        }
        let score = try RoomRecording(
            pieces: [0, 2].map { folder.appendingPathComponent("piece-\($0 + 1).wav").path },
            firstHeardAt: began * 1e9)
        // Twice the seconds: there is one measurement per half second.
        let least = (DemoPlan.pieceSeconds[0] + DemoPlan.pieceSeconds[2]) * 2 - 8
        result.isEditHeard = heard.allSatisfy { room in
            let places = WaveComparison.offsets(score, room)
            return places.count >= least && places.allSatisfy { abs($0) < 0.001 }
        }
    }
}
