import Foundation
import Glibc
import TuttiCommandLineInterface
import TuttiMediaTime
import TuttiServiceHost
import TuttiSystemIO

/// The command `tutti serve`: the music of a house, until it is ended.
enum ServeCommand: Command {
    static let declaration = CommandDeclaration(
        name: "serve",
        summary: "Play in every room, controlled by a page in the browser",
        examples: [
            CommandExample("tutti serve --music ~/Music", "then open http://localhost:8321"),
            CommandExample("tutti serve --code", "a code that gives another device access"),
        ],
        discussion: """
            Stays, knows the rooms, keeps the queues, and plays on after a restart. The page is at
            http://localhost:8321/. 'tutti config example' prints a configuration file with every setting.
            SIGHUP reads the file again.
            """,
        options: [
            .repeated("music", "FOLDER", .file, "A folder with music; repeat the option for more folders"),
            .flag("code", "Ask the running service for a code that gives another device access"),
            .flag("forget-devices", "Remove the access of all devices on other machines"),
            .value("config", short: "c", "FILE", .file, "Use this configuration file"),
            .flag("verbose", short: "v", "Log each step of the work, too"),
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let manager = ServiceManager(ServiceEnvironment.take())
        let settings = try settings(arguments)
        let config = arguments.value("config")
        if arguments.flag("code") { return await printCode(settings, config) }
        if arguments.flag("forget-devices") { return await forgetDevices(settings, config) }
        LibraryPages.releaseAroundStart()
        let log = ServiceLog(
            level: settings.service.log, to: STDERR_FILENO,
            .of(STDERR_FILENO, journalStream: ProcessInfo.processInfo.environment["JOURNAL_STREAM"]))
        defer { log.flush(within: .seconds(1)) }
        do {
            let lock = try InstanceLock(folder: settings.service.database)
            let service = try HouseService(settings, log: log)
            await run(service, arguments, manager, log)
            withExtendedLifetime(lock) {}
            return .success
        } catch {
            log.error("\(error)")
            return .failure
        }
    }

    private static func printCode(_ settings: HouseSettings, _ config: String?) async -> ExitStatus {
        await ask {
            let answer = try await ServiceClient.send("POST", "/access/code", settings, config: config)
            StandardStream.output.line(answer["code"] as? String ?? "")
            Console.hint("Enter it on the other device within five minutes; it is valid once.")
        }
    }

    private static func forgetDevices(_ settings: HouseSettings, _ config: String?) async -> ExitStatus {
        await ask {
            _ = try await ServiceClient.send("DELETE", "/access", settings, config: config)
            StandardStream.output.line("Each device on another machine needs a new code.")
        }
    }

    private static func ask(_ body: () async throws -> Void) async -> ExitStatus {
        do {
            try await body()
            return .success
        } catch {
            return RemoteOutput.complain(error, declaration)
        }
    }

    private static func run(
        _ service: HouseService, _ arguments: ParsedArguments, _ manager: ServiceManager, _ log: ServiceLog
    ) async {
        // Taken before the service is ready, so that no signal is lost.
        let hangups = SignalStream.of([SIGHUP])
        await SignalStream.runUntilTermination({
            await service.start()
            manager.send(.ready, .status("Playing for the house"))
            async let watchdog: Void = manager.keepWatchdog(isHealthy: { await service.isHealthy() })
            // Only now: a reload during the start would open the surfaces twice.
            for await _ in hangups { await reload(service, arguments, manager, log) }
            await watchdog
            return false
        })
        manager.send(.stopping)
        await service.stop()
        log.notice("The service has ended")
    }

    private static func reload(
        _ service: HouseService, _ arguments: ParsedArguments, _ manager: ServiceManager, _ log: ServiceLog
    ) async {
        manager.send(.reloading(at: SystemClock.now))
        do {
            await service.reload(try settings(arguments))
        } catch {
            log.error("The settings were not changed: \(error)")
        }
        manager.send(.ready)
    }

    /// Reads the settings of the file, the environment and the command line; names warnings on standard error.
    private static func settings(_ arguments: ParsedArguments) throws(UsageError) -> HouseSettings {
        let reading: ConfigurationReading
        do throws(ConfigurationError) {
            reading = try HouseSettings.read(
                path: arguments.value("config"), environment: ProcessInfo.processInfo.environment)
        } catch {
            throw UsageError(error.lines.joined(separator: "\n"), status: .configuration)
        }
        for warning in reading.warnings { Console.warning("tutti serve", "\(warning)") }
        var settings = reading.settings
        if arguments.flag("verbose") { settings.service.log = min(settings.service.log, .info) }
        if arguments.flag("quiet") { settings.service.log = max(settings.service.log, .warning) }
        if let mistake = settings.mistake {
            throw UsageError(mistake, status: .configuration)
        }
        settings.library.music += arguments.all("music").map {
            URL(fileURLWithPath: $0).standardizedFileURL.path
        }
        return settings
    }
}
