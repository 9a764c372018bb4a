import TuttiCommandLineInterface
import TuttiDiscovery
import TuttiSystemIO

/// The command `tutti speakers`: the speakers on the network, once or live.
enum SpeakersCommand: Command {
    /// The time after which nearly all speakers have answered. *Observed*: shairport-sync takes up to a second.
    static let lookTime = Duration.seconds(2)

    static let declaration = CommandDeclaration(
        name: "speakers",
        summary: "List the speakers on the network",
        examples: [
            CommandExample("tutti speakers", "live, until Ctrl-C"),
            CommandExample("tutti speakers --once", "a look of two seconds"),
            CommandExample("tutti speakers --once --json | jq -r .name", "the names, for a script"),
        ],
        discussion: """
            On a terminal, redraws the list after each change, until Ctrl-C. Otherwise, and with --once, looks
            for two seconds and prints the list. With --watch prints each change on a line: + appeared,
            = changed, - gone; with --json a JSON object per change, and with --json --once one per speaker.
            """,
        options: [
            .flag("once", short: "1", "Look for two seconds, or for --timeout, print the list and exit"),
            .flag("watch", short: "w", "Print each change on a line, until Ctrl-C"),
            .flag("json", "Print JSON objects, one on a line"),
            .value("timeout", short: "t", "SECONDS", .duration, "Exit after this time"),
            .value("address", "IP", .text, "Search only the network interface with this address"),
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        guard !(arguments.flag("once") && arguments.flag("watch")) else {
            throw UsageError("--once and --watch exclude each other")
        }
        let browser: ServiceBrowser
        do {
            let interface = try arguments.value("address").map(NetworkInterface.having(address:))
            browser = ServiceBrowser(interface: interface)
        } catch {
            throw UsageError("\(error)")
        }
        do {
            let events = try await browser.events(settling: .milliseconds(200))
            let style = style(arguments)
            if style == .list || arguments.flag("once") {
                let view = SpeakersView(style: arguments.flag("json") ? .jsonList : .list)
                let status = await watch(
                    events, view: view, timeout: arguments.duration("timeout") ?? lookTime)
                return await view.finish() ? status : .failure
            }
            return await watch(
                events, view: SpeakersView(style: style), timeout: arguments.duration("timeout"))
        } catch {
            Console.error("tutti speakers", "\(error)")
            return .unavailable
        }
    }

    private static func style(_ arguments: ParsedArguments) -> SpeakersView.Style {
        if arguments.flag("json") { return .json }
        if arguments.flag("watch") { return .lines }
        if Console.isLive { return .table }
        // A time limit asked for the changes until then before there was a list.
        return arguments.value("timeout") != nil ? .lines : .list
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
                    await Task.pause(for: timeout)
                    return .success
                }
            }
            let status = await group.next() ?? .success
            group.cancelAll()
            return status
        }
    }
}
