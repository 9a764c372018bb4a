import AirPlayMessages
import AirPlaySender
import Playback
import TuttiCommandLineInterface
import TuttiSystemIO

/// The command `tutti info SPEAKER`: prints a device's capabilities.
enum InfoCommand: Command {
    static let declaration = CommandDeclaration(
        name: "info",
        summary: "Show what one speaker supports",
        examples: [
            CommandExample("tutti info Kitchen", "by name"),
            CommandExample("tutti info 192.168.1.20:7000", "by address"),
        ],
        positionals: [PairingTarget.positional],
        options: [PairingTarget.addressOption, .flag("json", "Print one JSON object per speaker")])

    private static let defaultPort: UInt16 = 7000
    private static let limit = Duration.seconds(5)

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let word = arguments.positional(0) ?? ""
        let local = try PairingTarget.localAddress(arguments)
        let asJSON = arguments.flag("json")
        let endpoint = EndpointText(word, defaultPort: defaultPort)
        // An address or a host name needs no search for speakers.
        if let endpoint, word.contains(where: { ".:".contains($0) }),
            let address = await firstAddress(of: endpoint)
        {
            return await ask(address, as: word, from: local, asJSON: asJSON)
        }
        do {
            let targets = try await RouteCatalogue.shared.targets(for: [word], localAddress: local)
            var status = ExitStatus.success
            for target in targets {
                let told = await tell(target, asJSON: asJSON)
                if told != .success { status = told }
            }
            return status
        } catch {
            if let endpoint, let address = await firstAddress(of: endpoint) {
                return await ask(address, as: word, from: local, asJSON: asJSON)
            }
            return complain("\(error)", .notFound)
        }
    }

    /// Returns the address of a host; `nil` if its name is unknown, which the search for speakers then says.
    private static func firstAddress(of endpoint: EndpointText) async -> SocketAddress? {
        try? await HostName.resolve(endpoint.host, port: endpoint.port).first
    }

    /// Asks a device at an address; one that has no `/info` may have a record that says enough.
    private static func ask(
        _ address: SocketAddress, as word: String, from local: IPAddress?, asJSON: Bool
    ) async -> ExitStatus {
        do throws(InfoError) {
            let info = try await InfoRequest.send(to: address, limit: limit)
            // shairport-sync without nqptp describes itself as with it; only its records tell (*observed*).
            if address.port != defaultPort, let target = await recorded(address, from: local) {
                let known = ReceiverDescription(airPlay: target.record, raop: target.raop)
                if !known.supportsAirPlay2, !known.lacksAirPlay2Record {
                    return write(InfoReport(target, address), asJSON)
                }
            }
            return write(InfoReport(info: info, address: address), asJSON)
        } catch {
            if error.isOfAirPlay1, let target = await recorded(address, from: local) {
                return write(InfoReport(target, address), asJSON)
            }
            return complain("\(address) \(error.description)", error.status)
        }
    }

    /// Returns the speaker at an address whose mDNS records name AirPlay 1; `nil` without them.
    private static func recorded(_ address: SocketAddress, from local: IPAddress?) async -> SpeakerTarget? {
        let targets = try? await RouteCatalogue.shared.targets(for: ["\(address)"], localAddress: local)
        return targets?.first { $0.raop != nil }
    }

    /// Prints a speaker that was found on the network.
    private static func tell(_ target: SpeakerTarget, asJSON: Bool) async -> ExitStatus {
        guard let first = target.addresses.first else {
            return complain("\(target.name) announces no address", .unavailable)
        }
        if !ReceiverDescription(airPlay: target.record, raop: target.raop).supportsAirPlay2 {
            return write(InfoReport(target, first), asJSON)
        }
        var failure = InfoError.empty
        for address in target.addresses {
            do throws(InfoError) {
                let info = try await InfoRequest.send(to: address, limit: limit)
                return write(InfoReport(target, address, info), asJSON)
            } catch {
                failure = error
            }
        }
        return complain("\(target.name) \(failure.description)", failure.status)
    }

    private static func write(_ report: InfoReport, _ asJSON: Bool) -> ExitStatus {
        let isWritten = StandardStream.output.write(asJSON ? report.json.text + "\n" : report.text)
        return isWritten ? .success : .failure
    }

    private static func complain(_ what: String, _ status: ExitStatus) -> ExitStatus {
        Console.error("tutti info", what)
        return status
    }
}

extension InfoReport {
    /// A speaker with records.
    fileprivate init(_ target: SpeakerTarget, _ address: SocketAddress, _ info: ReceiverInfo? = nil) {
        self.init(info: info, address: address, name: target.name, airPlay: target.record, raop: target.raop)
    }
}
