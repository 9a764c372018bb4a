import AirPlayReceiver
import TuttiAudioOutput
import TuttiCommandLineInterface
import TuttiDeviceManners
import TuttiMediaTime
import TuttiSystemIO

/// The program: a stand-in for a device, until it is ended by a signal.
enum StandInCommand: Command {
    static let declaration = CommandDeclaration(
        name: "StandIn",
        summary: "Run a speaker with the manners of another maker's device",
        discussion: """
            StandIn sonos --name Era
            StandIn wrong-cseq locks-late=3

            For tests of the sender. Prints a JSON object per line; each time a manner is met, one line says so.
            Manners are added to those of the family; without a family they are those of an unknown device.
            """,
        positionals: [
            PositionalDeclaration(
                name: "WORD", count: .any,
                help: "A family, or a manner; some take seconds, as in locks-late=2")
        ],
        options: [
            .value("name", "NAME", .text, "Name that senders show; by default, the family's"),
            .value("model", "MODEL", .text, "Announce this model, by which senders choose their adaptations"),
            .value("manufacturer", "NAME", .text, "Announce this manufacturer"),
            .value("output", "OUTPUT", .text, "wave:FILE, null, alsa or pulse"),
            .value("port", "PORT", .integer(1...65535), "Listen on this port; 7000 by default"),
            .flag("list", "Print the families with their manners and exit"),
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        if arguments.flag("list") {
            for family in Family.all {
                StandardStream.output.line("\(family.name)\t\(family.manners.names.joined(separator: " "))")
            }
            StandardStream.output.line("\t\(Manner.allCases.map(\.rawValue).joined(separator: " "))")
            return .success
        }
        let options = try options(arguments)
        let counts = MannerCounts()
        do {
            let standIn = try StandIn(options) { counts.note($0, $1) }
            StandardMessages.print([
                "event": "started", "name": .string(options.name), "family": .string(options.family.name),
                "model": .string(options.family.model), "port": .integer(Int(standIn.port)),
                "manners": .array(options.family.manners.names.map { .string($0) }),
            ])
            await follow(standIn)
            await standIn.close()
            return .success
        } catch {
            StandardMessages.complain("StandIn: \(error)")
            return .failure
        }
    }

    private static func options(_ arguments: ParsedArguments) throws(UsageError) -> StandIn.Options {
        var family: Family
        do {
            family = try Family(words: arguments.positionals)
        } catch {
            throw UsageError("'\(error.word)' is no other family and no manner; --list prints them")
        }
        if let model = arguments.value("model") { family.rename(model: model) }
        if let maker = arguments.value("manufacturer") { family.manufacturer = maker }
        var options = StandIn.Options(name: arguments.value("name") ?? family.name)
        options.port = arguments.integer("port").map { UInt16($0) } ?? family.port ?? options.port
        options.family = family
        guard let text = arguments.value("output") else { return options }
        do {
            options.output = try OutputSpecification(parsing: text)
        } catch {
            throw UsageError("\(error)")
        }
        return options
    }

    // MARK: Running

    private static func follow(_ standIn: StandIn) async {
        await SignalStream.runUntilTermination(
            {
                for await event in standIn.events { show(event) }
                return true
            },
            {
                do {
                    try await standIn.announce()
                } catch {
                    StandardMessages.complain("StandIn: not announced: \(error)")
                }
                return false
            })
    }

    private static func show(_ event: SpeakerEvent) {
        switch event {
        case .sessionStarted(let sender):
            StandardMessages.print([
                "event": "session", "state": "started", "address": .string("\(sender.address)"),
            ])
        case .sessionEnded(_, let reason):
            StandardMessages.print(["event": "session", "state": "ended", "reason": .string(reason)])
        case .senderLost: StandardMessages.print(["event": "session", "state": "lost"])
        case .senderReturned: StandardMessages.print(["event": "session", "state": "returned"])
        case .source(let kind, _):
            StandardMessages.print(["event": "stream", "type": .integer(Int(kind.rawValue))])
        case .playing(let isPlaying):
            StandardMessages.print(["event": "playing", "isPlaying": .bool(isPlaying)])
        case .volume(let volume):
            StandardMessages.print(["event": "volume", "decibels": .number(volume.decibels, decimals: 2)])
        case .metadata: StandardMessages.print(["event": "metadata"])
        case .pin(let pin):
            StandardMessages.print(["event": "pin", "pin": pin.map { .string($0) } ?? .null])
        case .warning(let code, let message):
            StandardMessages.print(["event": "warning", "code": .string(code), "message": .string(message)])
        case .artwork, .progress: break
        }
    }
}
