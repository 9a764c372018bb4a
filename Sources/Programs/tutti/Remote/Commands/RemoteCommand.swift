import Foundation
import Glibc
import TuttiCommandLineInterface
import TuttiSystemIO

/// A command for the house, which a running service carries out.
protocol RemoteCommand: Command {
    /// Carries the command out.
    ///
    /// - Throws: ``RemoteFailure``, or `UsageError` for a wrong command line.
    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws
}

extension RemoteCommand {
    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        do {
            let service = try RemoteService(arguments)
            if let code = arguments.value("code") { try await service.pair(code: code) }
            try await perform(arguments, service)
            return .success
        } catch let error as UsageError {
            throw error
        } catch {
            return RemoteOutput.complain(error, declaration)
        }
    }
}

/// The options that commands for the house have in common.
enum RemoteOptions {
    /// The service that a command is for.
    static let service: [OptionDeclaration] = [
        .value(
            "host", "HOST[:PORT]", .text,
            "The service of another machine, or the path of a socket;\nTUTTI_HOST sets it for all commands"),
        .value(
            "code", "CODE", .text,
            "Register this user at --host, once, with the code that\n'tutti serve --code' prints there"),
        .value("config", short: "c", "FILE", .file, "The configuration file of the service on this machine"),
    ]

    /// The zone that a command is for.
    static let zone = OptionDeclaration.value(
        "zone", short: "z", "ZONE", .text,
        "The zone; by default TUTTI_ZONE, else the only one, or the only\none that plays, is paused, or has entries"
    )

    static let json = OptionDeclaration.flag("json", "Print the JSON of the service's interface")

    static func zoneName(_ arguments: ParsedArguments) -> String? {
        if let name = arguments.value("zone") { return name }
        return ProcessInfo.processInfo.environment["TUTTI_ZONE"].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Output of commands for the house.
enum RemoteOutput {
    /// Prints an error in one line; returns the status of the command.
    static func complain(_ error: any Error, _ declaration: CommandDeclaration) -> ExitStatus {
        Console.error(declaration.invocation, "\(error)")
        return (error as? RemoteFailure)?.status ?? .failure
    }

    /// Prints lines; a closed output is an error.
    static func print(_ lines: [String]) throws(RemoteFailure) {
        guard StandardStream.output.write(lines.map { $0 + "\n" }.joined()) else {
            throw RemoteFailure(.failed, "The output cannot be written.")
        }
    }

    /// Prints an answer of the service as it is, on one line.
    static func print(json: Data) throws(RemoteFailure) {
        try print([SafeText.json(String(decoding: json, as: UTF8.self))])
    }

    /// Whether nobody reads standard output any more, as after `| head -1`.
    static var isClosed: Bool {
        var entry = pollfd(fd: StandardStream.output.rawValue, events: 0, revents: 0)
        return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLERR) != 0
    }

    /// The most columns of a line; `nil` if the output is no terminal.
    static var columns: Int? {
        guard Terminal.isTTY(StandardStream.output.rawValue) else { return nil }
        return Terminal.size(StandardStream.output.rawValue)?.columns ?? 80
    }
}

extension RemoteService {
    /// Returns the state of the house.
    func house() async throws(RemoteFailure) -> RemoteHouse { try await ask(RemoteHouse.self, "/house") }

    /// Returns the zone that a command is for.
    func zone(_ arguments: ParsedArguments) async throws(RemoteFailure) -> RemoteZone {
        try await house().zone(meantBy: RemoteOptions.zoneName(arguments))
    }

    /// The most entries of a queue that commands read: as many as a house allows.
    static let entryLimit = 20_000

    /// Returns all entries of a zone's queue.
    func queue(of zone: RemoteZone) async throws(RemoteFailure) -> [RemoteZone.Entry] {
        var entries: [RemoteZone.Entry] = []
        while true {
            let page = try await ask(RemoteQueue.self, Self.queuePath(zone, start: entries.count))
            entries += page.entries.prefix(Self.entryLimit - entries.count)
            if page.entries.isEmpty || entries.count >= min(page.length, Self.entryLimit) { return entries }
        }
    }

    /// Passes each page of a zone's queue to a body as JSON: at least one, and at most those of
    /// ``entryLimit``, to the first empty one.
    func pages(
        of zone: RemoteZone, _ body: (Data) throws(RemoteFailure) -> Void
    ) async throws(RemoteFailure) {
        for start in stride(from: 0, to: min(max(1, zone.length), Self.entryLimit), by: Self.pageLength) {
            let data = try await ask("GET", Self.queuePath(zone, start: start))
            let isEmpty = try decoded(RemoteQueue.self, data).entries.isEmpty
            guard start == 0 || !isEmpty else { return }
            try body(data)
            if isEmpty { return }
        }
    }

    private static let pageLength = 1000

    /// The path of a page of a queue.
    static func queuePath(_ zone: RemoteZone, start: Int) -> String {
        "/zones/\(zone.id)/queue?start=\(start)&count=\(pageLength)"
    }

    /// Returns a text as a part of a path or a query.
    static func encoded(_ text: String) -> String {
        PercentCoding.encode(text, keeping: PercentCoding.isUnreserved)
    }
}
