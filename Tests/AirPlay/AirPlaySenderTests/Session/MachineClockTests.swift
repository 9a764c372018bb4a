import Synchronization
import Testing
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("This machine's clock", .tags(.machine))
struct MachineClockTests {
    private static let own = IPAddress(127, 0, 0, 45)
    private static let speaker = IPAddress(127, 0, 0, 46)

    /// A clock that the test exchanges.
    private final class ExchangedClock: HostClock {
        private let read: Mutex<@Sendable () -> HostTime>

        init(_ read: @escaping @Sendable () -> HostTime) { self.read = Mutex(read) }

        var now: HostTime { read.withLock { $0 }() }

        func exchange(_ read: @escaping @Sendable () -> HostTime) { self.read.withLock { $0 = read } }
    }

    @Test(
        "a clock whose port is taken refuses speakers with the reason, tells the time, and starts once the port is free"
    )
    func taken() async throws {
        var event: UDPSocket? = try UDPSocket(at: SocketAddress(Self.own, port: 0))
        let port = try #require(event?.address.port)
        var configuration = ClockService.Configuration(identity: ClockIdentity(rawValue: 7))
        configuration.addresses = [Self.own]
        (configuration.eventPort, configuration.generalPort) = (port, 0)
        // Two seconds behind, so that the last attempt is made by the system's clock, which the service needs.
        let time = ExchangedClock { SystemClock.now.advanced(by: .seconds(-2)) }
        let clock = MachineClock(configuration, machine: SystemMachine(clock: time))
        let now = time.now
        let error = #expect(throws: ClockServiceError.self) { try clock.start() }
        guard case .portTaken = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(clock.identity == configuration.identity && !clock.isServing)
        #expect(clock.networkTime(at: now) == NetworkTimescale().networkTime(at: now))
        #expect(clock.status(of: Self.speaker) == nil)
        event = nil
        // At once it is not tried again.
        time.exchange { now }
        #expect(throws: ClockServiceError.self) {
            try clock.addPeer(Self.speaker, localAddress: Self.own)
        }
        time.exchange { SystemClock.now }
        try clock.addPeer(Self.speaker, localAddress: Self.own)
        #expect(clock.isServing && clock.status(of: Self.speaker) != nil)
        await clock.close()
    }
}
