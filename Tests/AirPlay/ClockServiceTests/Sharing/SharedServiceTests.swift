import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiClockService

@Suite("Services that share one clock on real sockets", .tags(.machine))
struct SharedServiceTests {
    /// Free ports at an address of the test's own.
    private func configuration(
        _ last: UInt8, identity: UInt64 = 0x61, folder: RuntimeFolder
    ) throws -> ClockService.Configuration {
        let address = IPAddress(127, 0, 4, last)
        let event = try UDPSocket(at: SocketAddress(address, port: 0))
        let general = try UDPSocket(at: SocketAddress(address, port: 0))
        var configuration = ClockService.Configuration(identity: ClockIdentity(rawValue: identity))
        configuration.addresses = [address]
        configuration.eventPort = event.address.port
        configuration.generalPort = general.address.port
        configuration.runtimeFolders = [folder]
        return configuration
    }

    private func folder() -> RuntimeFolder {
        RuntimeFolder(path: "/tmp/tutti-clock-\(UInt64.random(in: 0 ... .max))")
    }

    /// Polls until the condition holds; two minutes at most, which only a failed test reaches.
    private func eventually(_ isSo: () -> Bool) throws -> Bool {
        var poller = SocketPoller(sockets: [], signal: try WakeSignal())
        let deadline = SystemClock.now.advanced(by: .seconds(120))
        while SystemClock.now < deadline {
            if isSo() { return true }
            try poller.wait(until: SystemClock.now.advanced(by: .microseconds(500))) { _ in }
        }
        return false
    }

    @Test("a second service shares the first one's ports, and continues with them when the first one ends")
    func takeover() async throws {
        let folder = folder()
        let configuration = try configuration(1, folder: folder)
        let first = try ClockService(configuration: configuration)
        let second = try ClockService(configuration: configuration)
        #expect(first.isServing && !second.isServing)
        #expect(second.eventPort == first.eventPort && second.generalPort == first.generalPort)
        // The first service serves the second one's peer and follower: both are on this machine, so the clock is its own.
        let (sender, speaker) = (configuration.addresses[0], configuration.addresses[0])
        let changes = second.stateChanges(of: speaker)
        try second.addPeer(speaker, behaviour: .tutti, localAddress: sender)
        second.follow(sender, localAddress: speaker)
        #expect(second.followStatus(of: sender)?.isOwn == true)
        #expect(second.mapping(of: second.identity)?.rateRatio == 1)
        for await change in changes {
            #expect(change == PeerStateChange(peer: speaker, state: .ready))
            break
        }
        #expect(first.status(of: speaker) == nil)
        #expect(try eventually { first.programCount == 2 })
        let before = try #require(second.status(of: speaker)).delayRequestCount
        await first.close()
        #expect(try eventually { second.isServing })
        #expect(second.state(of: speaker) == .ready)
        #expect(try eventually { (second.status(of: speaker)?.delayRequestCount ?? 0) > before })
        // A third service finds the clock at the same path.
        let third = try ClockService(configuration: configuration)
        #expect(!third.isServing)
        await third.close()
        await second.close()
        _ = try UDPSocket(at: SocketAddress(sender, port: configuration.eventPort))
    }

    @Test("services that vanish silently are replaced, again and again")
    func chain() async throws {
        let folder = folder()
        let configuration = try configuration(2, folder: folder)
        let speaker = IPAddress(127, 0, 4, 3)
        var services = try (0..<6).map { _ in try ClockService(configuration: configuration) }
        for service in services { try service.addPeer(speaker) }
        while services.count > 1 {
            let owner = try #require(services.firstIndex { $0.isServing })
            services.remove(at: owner)
            #expect(
                try eventually { services.contains { $0.isServing && $0.programCount == services.count } })
            #expect(services.allSatisfy { $0.status(of: speaker) != nil })
        }
        await services[0].close()
    }

    @Test("another identity is refused with a reason, the host's own takes the clock's")
    func identities() async throws {
        let folder = folder()
        var configuration = try configuration(4, folder: folder)
        let first = try ClockService(configuration: configuration)
        configuration.identity = ClockIdentity(rawValue: 0x62)
        let error = #expect(throws: ClockServiceError.self) { try ClockService(configuration: configuration) }
        guard case .otherIdentity(let identity, let holder) = error else {
            Issue.record("not otherIdentity: \(String(describing: error))")
            return
        }
        #expect(identity == first.identity && holder != nil)
        configuration.identity = .ofThisHost()
        let second = try ClockService(configuration: configuration)
        #expect(second.identity == first.identity)
        await second.close()
        await first.close()
    }

    @Test("a program of another release is told so, and does not disturb")
    func otherRelease() async throws {
        let folder = folder()
        let configuration = try configuration(5, folder: folder)
        let first = try ClockService(configuration: configuration)
        let rendezvous = ClockRendezvous(configuration, machine: SystemMachine())
        let path = folder.path(of: rendezvous.name(configuration.addresses))
        let hellos: [[UInt8]] = [
            [1, 0x54, 0x43, 0x6C, 0x6B, 0, 9, 1, 2], [UInt8](repeating: 0xFF, count: 4000), [22],
        ]
        for hello in hellos {
            let stranger = try LocalChannel(to: path)
            let isSent = try stranger.send(hello)
            var answer = LocalChannel.Received.nothing
            let isAnswered = try eventually {
                answer = stranger.receive()
                if case .nothing = answer { return false }
                return true
            }
            #expect(isSent && isAnswered)
            switch answer {
            case .message(let bytes, let passed):
                let message = try ClockMessage(bytes)
                #expect(message == .refusal(.otherVersion(ClockMessage.version)))
                #expect(hello.count == 9 && passed.isEmpty)
            case .closed: #expect(hello.count != 9)
            default: Issue.record("neither refused nor closed")
            }
        }
        let second = try ClockService(configuration: configuration)
        await second.close()
        await first.close()
    }

    @Test("a service that does not share keeps the ports to itself")
    func alone() async throws {
        var configuration = try configuration(6, folder: folder())
        configuration.isShared = false
        let first = try ClockService(configuration: configuration)
        #expect(throws: ClockServiceError.self) { try ClockService(configuration: configuration) }
        await first.close()
    }

    @Test("an address of its own is the second choice where other programs hold the ports")
    func exactAddress() async throws {
        let folder = folder()
        var configuration = try configuration(7, folder: folder)
        let taken = try UDPSocket(
            at: SocketAddress(IPAddress(127, 0, 4, 8), port: configuration.eventPort))
        configuration.exactAddresses = configuration.addresses
        configuration.addresses = [.anyV4]
        let first = try ClockService(configuration: configuration)
        #expect(first.addresses == [IPAddress(127, 0, 4, 7)])
        let second = try ClockService(configuration: configuration)
        #expect(second.addresses == first.addresses && !second.isServing)
        await second.close()
        await first.close()
        withExtendedLifetime(taken) {}
    }

    @Test("errors between programs name the program and give advice")
    func words() {
        let holder = PortHolder(processID: 812, program: "tutti")
        let errors: [(ClockServiceError, String)] = [
            (
                .folderForbidden(folder: "/run/tutti", port: 319, holder: holder),
                "add this user to the folder's group"
            ),
            (.otherRelease(version: 9, holder: holder), "use the same release"),
            (.otherIdentity(ClockIdentity(rawValue: 7), holder: holder), "request the same identity or none"),
            (.otherTime(holder: holder), "time namespace"), (.noAnswer(holder: holder), "kill -CONT"),
            (.portTaken(port: 319, holder: holder), "/run/tutti"),
            (
                .portTaken(port: 319, holder: PortHolder(processID: 1, program: "ptp4l")),
                "systemctl stop ptp4l"
            ),
            (
                .portTaken(port: 319, holder: PortHolder(processID: 1, program: "nqptp")),
                "shairport-sync nqptp"
            ),
        ]
        for (error, words) in errors { #expect(error.description.contains(words), "\(error)") }
    }
}
