import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiWire

@testable import TuttiClockService

@Suite("Messages between programs that share a clock")
struct ClockMessageTests {
    private static let v4 = IPAddress(192, 0, 2, 7)
    private static let v6Bytes: [UInt8] = [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]
    private static let v6 = IPAddress(bytes: v6Bytes, scopeID: 3) ?? .anyV6
    private static let address: [UInt8] = [4, 192, 0, 2, 7]
    private static let second: [UInt8] = [0, 0, 0, 0, 0x3B, 0x9A, 0xCA, 0]
    private static let head: [UInt8] = [0x54, 0x43, 0x6C, 0x6B, 0, 2]
    private static let none: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 0]
    private static let one = HostTime(nanoseconds: 1_000_000_000)

    static let record = ClockPeerRecord(
        address: v4, localAddress: nil, uses: 2, behaviour: .neverAsks(readyAfter: .seconds(1)),
        servedDelay: .seconds(1), measuresPath: true, firstFollowUp: one, announceSequence: 1,
        syncSequence: 0x0203, signalingSequence: 4, state: .ready, questionCount: 5, streakCount: 6,
        restartedAt: one, firstSync: nil, lastQuestion: one, exchangeReadyTime: nil)

    private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    private static let recordBytes = joined(
        [17], address, [0, 0, 2, 2], second, second, [1], second, [0, 1, 2, 3, 0, 4, 1],
        [0, 0, 0, 5, 0, 0, 0, 6], second, none, second, none)
    private static let seven: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 7]
    private static let three: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 3]

    static let table: [(ClockMessage, [UInt8])] = [
        (.hello(.init(identity: ClockIdentity(rawValue: 7))), joined([1], head, seven)),
        (
            .welcome(.init(identity: ClockIdentity(rawValue: 7), reading: one, term: 3, socketCount: 4)),
            joined([2], head, seven, second, three, [4, 1])
        ),
        (.refusal(.otherVersion(2)), joined([3], head, [0])),
        (.refusal(.otherIdentity(ClockIdentity(rawValue: 7))), joined([3], head, [1], seven)),
        (.refusal(.tooManyPrograms), joined([3], head, [2])),
        (
            .command(
                .addPeer(
                    v4, .asks(exchanges: 3, then: .seconds(1)), pathDelay: .seconds(1), localAddress: nil)),
            joined([10], address, [1, 0, 3], second, second, [0])
        ),
        (.command(.removePeer(v4)), joined([11], address)),
        (.command(.setBehaviour(.unknown, of: v4)), joined([12], address, [0])),
        (.command(.restartServing(v4)), joined([13], address)),
        (.command(.setPathDelay(.seconds(1), of: v4)), joined([14], address, second)),
        (
            .command(.follow(v6, localAddress: v4, isOwn: true)),
            joined(
                [15, 16, 0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 3], address, [1])
        ),
        (.command(.unfollow(v4)), joined([16], address)),
        (.command(.restorePeer(record)), recordBytes),
        (
            .command(.yield(v4, localAddress: nil, isOwn: false)),
            joined([18], address, [0, 0])
        ),
        (.command(.endYield(v4)), joined([19], address)),
        (
            .received(.init(source: v4, port: .event, receivedAt: one, bytes: [1, 2, 3])),
            joined([20], address, [1], second, [1, 2, 3])
        ),
        (.asked(v4, sequence: 0x0A0B, at: one), joined([21], address, [0x0A, 0x0B], second)),
        (.beat, [22]),
    ]

    @Test("messages are written and read by one table", arguments: table.indices)
    func bothWays(index: Int) throws {
        let (message, bytes) = Self.table[index]
        #expect(message.encoded == bytes)
        #expect(try ClockMessage(bytes) == message)
    }

    @Test("truncated messages are refused", arguments: table.indices)
    func cut(index: Int) {
        let bytes = Self.table[index].1
        // A datagram of any length may arrive.
        let end = bytes[0] == 20 ? bytes.count - 3 : bytes.count
        for count in 0..<end {
            #expect(throws: ClockMessageError.self) { try ClockMessage(Array(bytes[..<count])) }
        }
        if bytes[0] != 20 {
            #expect(throws: ClockMessageError.outOfRange(field: "length")) { try ClockMessage(bytes + [0]) }
        }
    }

    static let hostile: [(String, [UInt8], ClockMessageError)] = [
        ("nothing of ours", [1, 0x47, 0x45, 0x54, 0x20, 0, 1], .notAClock),
        ("a kind of nobody", [99], .unknownKind(99)),
        ("an address of five bytes", [11, 5, 1, 2, 3, 4, 5], .outOfRange(field: "address")),
        ("no address", [11, 0], .outOfRange(field: "address")),
        ("a flag of two", joined([15], address, [0, 2]), .outOfRange(field: "own")),
        (
            "a time after the end", joined([14], address, [0x7F, 0, 0, 0, 0, 0, 0, 0]),
            .outOfRange(field: "path delay")
        ),
        (
            "an odd number of sockets", joined([2], head, seven, second, three, [3, 1]),
            .outOfRange(field: "sockets")
        ),
        (
            "term zero", joined([2], head, seven, second, [0, 0, 0, 0, 0, 0, 0, 0, 4, 1]),
            .outOfRange(field: "term")
        ),
        ("more than fits", [UInt8](repeating: 20, count: 5000), .tooLong),
        (
            "a long datagram", joined([20], address, [1], second, [UInt8](repeating: 0, count: 2049)),
            .tooLong
        ),
    ]

    @Test("messages of strangers are refused with a reason", arguments: hostile.indices)
    func refused(index: Int) {
        let (name, bytes, error) = Self.hostile[index]
        #expect(throws: error, "\(name)") { try ClockMessage(bytes) }
    }

    @Test("messages of another release state their version, whatever follows")
    func otherRelease() throws {
        let later: [UInt8] = [0x54, 0x43, 0x6C, 0x6B, 0, 9, 1, 2, 3, 4, 5]
        #expect(
            try ClockMessage([1] + later)
                == .hello(.init(version: 9, identity: ClockIdentity(rawValue: 0))))
        #expect(try ClockMessage([3] + later) == .refusal(.otherVersion(9)))
    }
}
