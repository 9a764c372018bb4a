import Testing
import TuttiMediaTime
import TuttiSystemIO

@testable import TuttiClockService

/// Speakers of one program, each at an address of its own, follow one sender.
@Suite("Speakers of one program at several addresses")
struct SeveralSpeakersTests {
    private static let sender = IPAddress(127, 0, 0, 1)
    private static let rooms = (11...13).map { IPAddress(127, 0, 0, UInt8($0)) }
    private static let step = Duration.milliseconds(5)

    /// A sender's server and the rooms' follower, joined without delay.
    private struct House {
        var server = ClockServer(configuration: .init(identity: ClockIdentity(rawValue: 0x1234)))
        var follower: ClockFollower
        var now = HostTime(nanoseconds: 1_000_000_000)
        var stalled: [IPAddress] = []

        init(_ identity: ClockIdentity = ClockIdentity(rawValue: 0x5678)) {
            follower = ClockFollower(identity: identity)
        }

        mutating func join(_ room: IPAddress) {
            _ = server.addPeer(room, behaviour: .tutti, localAddress: sender, at: now)
            follower.follow(sender, localAddress: room, at: now)
        }

        mutating func leave(_ room: IPAddress) {
            server.removePeer(room, at: now)
            follower.unfollow(sender, at: now)
        }

        mutating func run(for duration: Duration) {
            let end = now.advanced(by: duration)
            var datagram = ClockDatagram()
            while now < end {
                server.handleTimeout(at: now)
                while server.nextDatagram(into: &datagram, at: now) {
                    datagram.stamp(at: server.timescale.networkTime(at: now))
                    follower.receive(datagram.bytes[...], from: sender, on: datagram.port, at: now)
                }
                while follower.nextDatagram(into: &datagram, at: now) {
                    follower.questionLeft(datagram, at: now)
                    guard let room = datagram.source else { continue }
                    server.receive(datagram.bytes[...], from: room, on: datagram.port, at: now)
                }
                while let change = server.nextEvent() {
                    guard change.state == .stalled else { continue }
                    stalled.append(change.peer)
                }
                now = now.advanced(by: step)
            }
        }

        func status(of room: IPAddress) -> PeerClockStatus? { server.status(of: room, at: now) }
    }

    @Test("each one asks from its own address, so that the sender finds none of them silent")
    func eachAsks() throws {
        var house = House()
        for room in Self.rooms {
            house.join(room)
            house.run(for: .milliseconds(100))
        }
        house.run(for: .seconds(60))
        #expect(house.stalled.isEmpty)
        for room in Self.rooms {
            let status = try #require(house.status(of: room))
            #expect(status.state == .ready && status.delayRequestCount > 100)
        }
        #expect(house.follower.mapping(of: ClockIdentity(rawValue: 0x1234), at: house.now) != nil)
    }

    @Test("one that leaves does not silence the others, and one that comes is asked for at once")
    func leaving() throws {
        var house = House()
        for room in Self.rooms { house.join(room) }
        house.run(for: .seconds(2))
        house.leave(Self.rooms[2])
        house.run(for: .seconds(20))
        house.join(Self.rooms[2])
        house.run(for: .milliseconds(50))
        #expect(house.status(of: Self.rooms[2])?.state == .ready)
        house.run(for: .seconds(20))
        #expect(house.stalled.isEmpty)
    }

    @Test("rooms at one address send each request once")
    func sameAddress() throws {
        var house = House()
        for _ in 0..<3 { house.join(Self.rooms[0]) }
        house.run(for: .seconds(30))
        let count = try #require(house.status(of: Self.rooms[0])).delayRequestCount
        #expect((50...90).contains(count))
    }

    @Test("a program that continues to serve for others asks from all their addresses")
    func successor() {
        var program = SharedClock(identity: ClockIdentity(rawValue: 0x5678))
        let now = HostTime(nanoseconds: 1_000_000_000)
        for room in Self.rooms {
            _ = program.apply(
                .follow(Self.sender, localAddress: room, isOwn: false), of: SharedClock.here, at: now)
        }
        var successor = SharedClock(identity: ClockIdentity(rawValue: 0x5678))
        for command in program.restoration(at: now) { _ = successor.apply(command, of: 1, at: now) }
        var datagram = ClockDatagram()
        var sources: Set<IPAddress> = []
        while successor.nextDatagram(into: &datagram, at: now) {
            if let source = datagram.source { sources.insert(source) }
        }
        #expect(sources == Set(Self.rooms))
    }
}
