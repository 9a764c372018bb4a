import AirPlayMessages
import CommandLineInterface
import SystemIO

/// The command `tutti info ADDRESS[:PORT]`: prints a device's capabilities.
enum InfoCommand: Command {
    static let declaration = CommandDeclaration(
        name: "info",
        summary: "Show what one speaker supports",
        positionals: [
            PositionalDeclaration(
                name: "ADDRESS[:PORT]",
                help: "A host name or address; port \(defaultPort) by default")
        ],
        options: [.flag("json", "Print one JSON object")])

    private static let defaultPort: UInt16 = 7000
    private static let limit = Duration.seconds(5)

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let text = arguments.positional(0) ?? ""
        guard let endpoint = EndpointText(text, defaultPort: defaultPort) else {
            throw UsageError(
                "'\(Printable.text(text))' is not an address: use HOST, HOST:PORT or [IPV6]:PORT")
        }
        do {
            let addresses = try await HostName.resolve(endpoint.host, port: endpoint.port)
            guard let address = addresses.first else { return complain(endpoint.host, "has no address") }
            return await ask(address, asJSON: arguments.flag("json"))
        } catch {
            return complain(endpoint.host, "cannot be resolved: \(error.text)")
        }
    }

    private static func ask(_ address: SocketAddress, asJSON: Bool) async -> ExitStatus {
        do {
            let info = try await InfoRequest.send(to: address, limit: limit)
            let report = InfoReport(info: info, address: address)
            let isWritten = StandardStream.output.write(asJSON ? report.json.text + "\n" : report.text)
            return isWritten ? .success : .failure
        } catch {
            return complain(address.description, error.description)
        }
    }

    private static func complain(_ subject: String, _ what: String) -> ExitStatus {
        StandardStream.error.line("tutti info: \(Printable.text(subject)) \(what)")
        return .failure
    }
}
