import CommandLineInterface
import Discovery

/// The command `tutti speakers`: a live list of the speakers on the network.
enum SpeakersCommand: Command {
    static let declaration = CommandDeclaration(
        name: "speakers",
        summary: "List the speakers on the network and follow changes",
        discussion: """
            On a terminal, redraws the list after each change, until Ctrl-C. Otherwise prints each change on
            a line: + appeared, = changed, - gone.
            """,
        options: [
            .flag("json", "Print one JSON object per change"),
            .value("timeout", short: "t", "SECONDS", .duration, "Exit after this time"),
            .value("address", "IP", .text, "Search only the network interface with this address"),
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let browser: ServiceBrowser
        do {
            let interface = try arguments.value("address").map(NetworkInterface.having(address:))
            browser = ServiceBrowser(interface: interface)
        } catch {
            throw UsageError("\(error)")
        }
        do {
            let events = try await browser.events(settling: .milliseconds(200))
            let view = SpeakersView(style: style(arguments))
            return await watch(events, view: view, timeout: arguments.duration("timeout"))
        } catch {
            StandardStream.error.line("tutti speakers: \(error)")
            return .failure
        }
    }

    private static func style(_ arguments: ParsedArguments) -> SpeakersView.Style {
        if arguments.flag("json") { return .json }
        return Terminal.isTTY(StandardStream.output.rawValue) ? .table : .lines
    }

    private static func watch(
        _ events: AsyncStream<DiscoveryEvent>, view: SpeakersView, timeout: Duration?
    ) async -> ExitStatus {
        await withTaskGroup(of: ExitStatus.self) { group in
            group.addTask {
                await view.draw()
                for await event in events where await !view.show(event) { return .failure }
                return .success
            }
            group.addTask {
                for await _ in SignalStream.of(SignalStream.termination) { return .success }
                return .success
            }
            group.addTask {
                for await _ in SignalStream.of(SignalStream.resize) { await view.draw() }
                return .success
            }
            if let timeout {
                group.addTask {
                    // Cancelled only after another task has ended the wait.
                    try? await Task.sleep(for: timeout)
                    return .success
                }
            }
            let status = await group.next() ?? .success
            group.cancelAll()
            return status
        }
    }
}
