import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiRTP
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiClockService

@Suite("Following on real sockets", .tags(.machine))
struct FollowingServiceTests {
    private func service(
        _ addresses: [IPAddress], identity: UInt64, ports: ClockService? = nil
    ) throws -> ClockService {
        var configuration = ClockService.Configuration(identity: ClockIdentity(rawValue: identity))
        configuration.addresses = addresses
        configuration.eventPort = ports?.eventPort ?? 0
        configuration.generalPort = ports?.generalPort ?? 0
        return try ClockService(configuration: configuration)
    }

    /// Polls until there is a value; two minutes at most, which only a failed test reaches.
    private func eventually<Found>(_ look: () -> Found?) throws -> Found? {
        var poller = SocketPoller(sockets: [], signal: try WakeSignal())
        let deadline = SystemClock.now.advanced(by: .seconds(120))
        while SystemClock.now < deadline {
            if let found = look() { return found }
            try poller.wait(until: SystemClock.now.advanced(by: .microseconds(200))) { _ in }
        }
        return nil
    }

    /// Two services of one machine have a known clock difference: zero.
    private func error(_ mapping: ClockMapping) -> Duration {
        let now = SystemClock.now
        return .nanoseconds(mapping.networkTime(at: now).nanoseconds - now.nanoseconds)
    }

    @Test(
        "a speaker in another process of this machine is followed, also when both have one identity",
        arguments: [0x51, 0x52])
    func twoProcesses(speakerIdentity: UInt64) async throws {
        let (here, there) = (IPAddress(127, 0, 0, 41), IPAddress(127, 0, 0, UInt8(speakerIdentity)))
        let sender = try service([here], identity: 0x51)
        let speaker = try service([there], identity: speakerIdentity, ports: sender)
        let changes = sender.stateChanges(of: there)
        try sender.addPeer(there, pathDelay: .milliseconds(3), localAddress: here)
        sender.setBehaviour(.tutti, of: there)
        speaker.follow(here, localAddress: there)
        // An answer delayed by this machine says little about the clock; a later one says more.
        _ = try #require(
            try eventually {
                speaker.mapping(of: sender.identity).flatMap { abs(error($0).inSeconds) < 0.005 ? $0 : nil }
            })
        for await change in changes {
            #expect(change.state == .ready)
            break
        }
        let status = try #require(
            try eventually { speaker.followStatus(of: here).flatMap { $0.answerCount >= 3 ? $0 : nil } })
        #expect(status.grandmaster == sender.identity && status.isUsable && !status.isOwn)
        #expect(speaker.followStatus(of: there) == nil)
        speaker.unfollow(here)
        #expect(speaker.followStatus(of: here) == nil)
        await speaker.close()
        await sender.close()
    }

    @Test("a speaker and a sender share the service: the clock is its own, and the sender is satisfied")
    func oneProcess() async throws {
        let (sender, speaker) = (IPAddress(127, 0, 0, 43), IPAddress(127, 0, 0, 44))
        let service = try service([sender, speaker], identity: 0x53)
        let changes = service.stateChanges(of: speaker)
        try service.addPeer(speaker, behaviour: .tutti, localAddress: sender)
        service.follow(sender, localAddress: speaker)
        let mapping = try #require(service.mapping(of: service.identity))
        #expect(mapping.rateRatio == 1 && error(mapping) == .zero)
        #expect(service.followStatus(of: sender)?.isOwn == true)
        for await change in changes {
            #expect(change == PeerStateChange(peer: speaker, state: .ready))
            break
        }
        await service.close()
    }

    @Test("a sender without PTP is asked at its timing port")
    func ntp() throws {
        let socket = try UDPSocket(at: SocketAddress(IPAddress(127, 0, 0, 45), port: 0))
        let ahead: Int64 = 3_900_000_000_000_000_000
        let follower = try NTPFollower(
            peer: socket.address, localAddress: IPAddress(127, 0, 0, 46), machine: SystemMachine())
        #expect(follower.mapping() == nil)
        _ = try #require(
            try eventually { () -> ClockMapping? in
                _ = try? socket.receive { bytes, source, receivedAt in
                    let received = NetworkTime(nanoseconds: receivedAt.nanoseconds + ahead)
                    let now = NetworkTime(nanoseconds: SystemClock.now.nanoseconds + ahead)
                    guard
                        let answer = NTPTimingExchange.answer(to: bytes, received: received, transmitted: now)
                    else { return }
                    _ = try? socket.send(answer, to: source)
                }
                // A delayed answer says little, as above.
                return follower.mapping().flatMap {
                    abs(error($0).wholeNanoseconds - ahead) < 5_000_000 ? $0 : nil
                }
            })
        #expect(follower.status.isUsable && follower.status.answerCount >= 1)
        let other = try NTPFollower(peer: socket.address, machine: SystemMachine())
        #expect(other.identity != follower.identity)
        other.close()
        follower.close()
        follower.close()
        #expect(follower.mapping() != nil)
    }
}
