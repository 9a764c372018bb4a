import AirPlayReceiver
import Foundation
import TuttiAudioOutput
import TuttiClockService
import TuttiCommandLineInterface
import TuttiDiscovery
import TuttiMediaTime
import TuttiSystemIO

/// The command `tutti speaker`: makes this machine an AirPlay speaker.
enum SpeakerCommand: Command {
    static let declaration = CommandDeclaration(
        name: "speaker",
        summary: "Run an AirPlay speaker on this machine",
        examples: [
            CommandExample("tutti speaker --name Kitchen", "on the default output"),
            CommandExample(
                "tutti speaker --name Hall --output alsa:hw:1 --password-file word.txt",
                "on a sound card, with a password"),
        ],
        discussion: """
            Phones, computers and other senders see the speaker and play to it, by AirPlay 2 or AirPlay 1,
            until Ctrl-C. Each of several speakers on one machine needs its own address or port. All
            programs on a machine share one clock.
            """,
        options: [
            .value("name", "NAME", .text, "Name that senders show; by default, this machine's name"),
            .value(
                "output", "OUTPUT", .text,
                "alsa[:DEVICE], pulse[:SINK], wave:FILE or null;\n'tutti outputs' lists them"),
            .value("address", "IP", .text, "Listen on this address only"),
            .value("port", "PORT", .integer(1...65535), "Listen on this port; 7000 by default"),
        ] + SecretOption.password("Password that senders must enter") + [
            .flag("pin", "A new sender must enter the PIN shown here, once;\nno AirPlay 1"),
            .value(
                "buffer", "SECONDS", .number(10...3600),
                "Seconds of uncompressed CD sound to buffer; about 180 by default"),
            .value(
                "volume-curve", "CURVE", .text,
                "decibels (default), fixed, or the range in decibels, 1...120"),
            .value(
                "latency-offset", "MS", .number(-2000...2000),
                "Delay playback by MS milliseconds; negative plays earlier"),
            .value("metadata-pipe", "PATH", .file, "Write metadata to this pipe, in shairport-sync's format"),
            .value(
                "clock-ports", "EVENT,GENERAL", .text,
                "UDP ports of the clock instead of 319,320;\nonly for a Tutti sender with the same ports"),
            .flag("json", "Print events, one JSON object per line"),
        ] + SpeakerBroker.Options.declarations)

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let (options, interface) = try options(arguments)
        LibraryPages.releaseAroundStart()
        let pipe = try metadataPipe(arguments)
        let brokerOptions = try SpeakerBroker.Options.parse(arguments, name: options.name)
        let display: any SpeakerDisplay =
            arguments.flag("json") ? JSONSpeakerDisplay() : TextSpeakerDisplay(isLive: Console.isLive)
        defer { display.end() }
        do {
            var options = options
            if arguments.value("output") == nil { options.output = try .preferred() }
            let clock = try clock(options, ports: try ClockPorts.parse(arguments.value("clock-ports")))
            let host = try SpeakerHost(options, clock: clock) {
                display.show(.warning(code: "identity", message: $0))
            }
            display.started(host.start)
            let broker = brokerOptions.map { SpeakerBroker($0, speaker: host.buttons, display: display) }
            broker?.start()
            do {
                try host.announce(interface: interface)
            } catch {
                // Senders can still reach the speaker by address.
                display.show(
                    .warning(code: "not-announced", message: "senders cannot see this speaker: \(error)"))
            }
            await follow(host, display: display, pipe: pipe, broker: broker)
            await host.close()
            await broker?.stop()
            await clock.close()
            return .success
        } catch let error as UsageError {
            throw error
        } catch {
            Console.error("tutti speaker", words(error, options))
            return status(of: error)
        }
    }

    /// Returns the status for the reason why a speaker cannot start.
    static func status(of error: any Error) -> ExitStatus {
        switch error {
        case let error as OutputError: error.isBusy ? .busy : .unavailable
        case ClockServiceError.portForbidden, ClockServiceError.folderForbidden: .noAccess
        case is ClockServiceError: .busy
        case let error as SystemError where error.operation == "bind":
            error.isPermissionDenied ? .noAccess : .busy
        default: .failure
        }
    }

    private static func words(_ error: any Error, _ options: SpeakerHost.Options) -> String {
        guard let error = error as? SystemError, error.operation == "bind" else { return "\(error)" }
        return error.isPermissionDenied
            ? "this user may not listen at port \(options.port); choose one above 1023 with --port"
            : "port \(options.port) is in use, probably by another AirPlay speaker; "
                + "give this one its own --port or --address"
    }

    // MARK: Options

    private static func options(
        _ arguments: ParsedArguments
    ) throws(UsageError) -> (SpeakerHost.Options, NetworkInterface?) {
        var options = SpeakerHost.Options(name: arguments.value("name") ?? ProcessInfo.processInfo.hostName)
        if let port = arguments.integer("port") { options.port = UInt16(port) }
        options.password = try SecretOption.read(arguments, of: declaration)
        options.wantsPIN = arguments.flag("pin")
        var interface: NetworkInterface?
        do {
            if let text = arguments.value("output") {
                options.output = try OutputSpecification(parsing: text)
            }
            if let text = arguments.value("address"), let address = try PairingTarget.localAddress(arguments)
            {
                options.addresses = [address]
                options.isAdvertised = !address.isLoopback
                if !address.isLoopback, !address.isUnspecified {
                    interface = try NetworkInterface.having(address: text)
                }
            }
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("\(error)")
        }
        if let seconds = arguments.number("buffer") {
            options.playout.bufferBytes = Int(seconds * bytesPerSecond)
        }
        options.playout.latencyOffset = (arguments.number("latency-offset") ?? 0) / 1000
        options.playout.volumeCurve = try curve(arguments.value("volume-curve"))
        return (options, interface)
    }

    private static func metadataPipe(_ arguments: ParsedArguments) throws(UsageError) -> MetadataPipe? {
        guard let path = arguments.value("metadata-pipe") else { return nil }
        return try MetadataPipe(path: path)
    }

    /// The data rate of unpacked ALAC at 44.1 kHz and 16 bit, framing included: 1450 bytes for 352 frames.
    private static let bytesPerSecond = 1450.0 * 44_100 / 352

    private static func curve(_ text: String?) throws(UsageError) -> VolumeCurve {
        switch text {
        case nil, "decibels": return .decibels
        case "fixed": return .fixed
        case .some(let text):
            guard let decibels = Double(text), (1...120).contains(decibels) else {
                throw UsageError("--volume-curve takes decibels, fixed, or a number from 1 to 120")
            }
            return .stretched(decibels: decibels)
        }
    }

    private static func clock(
        _ options: SpeakerHost.Options, ports: (event: UInt16, general: UInt16)?
    ) throws(ClockServiceError) -> ClockService {
        var configuration = ClockService.Configuration()
        // Binding to all addresses lets other programs share the clock; the exact addresses are the fallback.
        configuration.exactAddresses = options.addresses
        if let ports { (configuration.eventPort, configuration.generalPort) = ports }
        return try ClockService(configuration: configuration)
    }

    // MARK: Running

    private static func follow(
        _ host: SpeakerHost, display: any SpeakerDisplay, pipe: MetadataPipe?, broker: SpeakerBroker?
    ) async {
        let underruns = UnderrunWatch()
        await SignalStream.runUntilTermination(
            {
                for await event in host.events {
                    host.note(event)
                    underruns.note(event)
                    display.show(event)
                    pipe?.write(MetadataItem.items(event))
                    broker?.publish(event)
                }
                return true
            },
            {
                for await event in host.announcements { show(event, of: host, on: display) }
                return false
            },
            {
                await watch(host, underruns, display: display, pipe: pipe)
                return false
            })
    }

    private static func show(_ event: AdvertiserEvent, of host: SpeakerHost, on display: any SpeakerDisplay) {
        switch event {
        case .registered: break
        case .renamed(let name):
            display.show(
                .warning(code: "renamed", message: "another device has this name; senders see \(name)"))
        case .failed(let reason):
            display.show(
                .warning(code: "not-announced", message: "senders cannot see this speaker: \(reason)"))
        }
    }

    /// Shows the status twice a second, and changes of the output's state.
    private static func watch(
        _ host: SpeakerHost, _ underruns: UnderrunWatch, display: any SpeakerDisplay, pipe: MetadataPipe?
    ) async {
        var state = OutputState.running
        while !Task.isCancelled {
            let status = host.status
            display.show(status)
            pipe?.drain()
            if let warning = underruns.look(status) { display.show(warning) }
            if host.outputState != state {
                state = host.outputState
                switch state {
                case .running: display.show(.warning(code: "output-back", message: "the output is back"))
                case .lost(let reason): display.show(.warning(code: "output-lost", message: reason))
                }
            }
            await Task.pause(for: .milliseconds(500))
        }
    }
}
