import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiTestSupport
import TuttiWire

@Suite("PTP messages")
struct PTPMessageTests {
    static let clock = ClockIdentity(rawValue: 0xF200_AAFF_FE00_00FF)
    static let port = PTPPortIdentity(clock: clock, port: 0x8005)
    static let requester = PTPPortIdentity(
        clock: ClockIdentity(rawValue: 0x0011_2233_4455_6677), port: 0x8008)

    /// The recorded messages, by name.
    static func recorded() throws -> [String: [UInt8]] {
        let file = try Vectors.dictionary("airplay/ptp-messages.json")
        let messages = try #require(file["messages"] as? [[String: Any]])
        return try Dictionary(
            uniqueKeysWithValues: messages.map {
                (try #require($0["name"] as? String), Vectors.bytes(hex: try #require($0["hex"] as? String)))
            })
    }

    @Test("our messages equal, byte for byte, those that receivers followed")
    func vectors() throws {
        let time = try PTPTimestamp(seconds: 1_003_271, nanoseconds: 802_099_809)
        let ours: [String: PTPMessage] = [
            "Announce": .announce(PTPAnnounce(source: Self.port, sequence: 1)),
            "Sync": .sync(PTPSync(source: Self.port, sequence: 1)),
            "Follow_Up": .followUp(PTPFollowUp(source: Self.port, sequence: 1, preciseOriginTimestamp: time)),
            "Signaling": .signaling(.periodic(source: Self.port, sequence: 1)),
        ]
        let recorded = try Self.recorded()
        #expect(recorded.count == ours.count)
        for (name, message) in ours {
            #expect(message.encoded == recorded[name], "\(name)")
            #expect(try PTPMessage(datagram: try #require(recorded[name])) == message, "\(name)")
        }
    }

    @Test("the Announces of a shairport-sync receiver are read")
    func receiversAnnounce() throws {
        let file = try Vectors.dictionary("airplay/ptp-messages.json")
        let received = try #require(file["from_receiver"] as? [[String: Any]])
        let priorities = try received.map { entry -> UInt8 in
            let bytes = Vectors.bytes(hex: try #require(entry["hex"] as? String))
            let message = try PTPMessage(datagram: bytes)
            guard case .announce(let announce) = message else { throw WireError.trailingBytes(count: 0) }
            #expect(announce.grandmaster == ClockIdentity(rawValue: 0x0200_00FF_FEAA_0001))
            #expect(announce.quality == PTPClockQuality(clockClass: 0xF8, accuracy: 0xFE, variance: 0x436A))
            #expect(announce.header.source.port == 0x8008)
            #expect(announce.utcOffset == 37 && announce.timeSource == 0xA0 && announce.tlvs.isEmpty)
            #expect(message.encoded == bytes)
            return announce.priority1
        }
        #expect(priorities == [127, 129])
    }

    /// One message of each type.
    static let samples: [PTPMessage] = {
        let time = PTPTimestamp(NetworkTime(nanoseconds: 12_345_678_901))
        var request = PTPDelayRequest(source: requester, sequence: 0xFFFE)
        request.header.correction = PTPCorrection(rawValue: -5)
        let negotiation = PTPSignaling(
            source: requester, sequence: 3, target: port, flags: [.unicast], logInterval: 0x7F,
            tlvs: [
                .unicastRequest(PTPUnicastRequest(messageType: 0xB, logInterval: 0, durationSeconds: 0)),
                .unknown(type: 0x2004, value: [1, 2, 3]),
                .unicastRequest(PTPUnicastRequest(messageType: 0, logInterval: -3, durationSeconds: 60)),
            ])
        var samples: [PTPMessage] = [
            .announce(PTPAnnounce(source: port, sequence: 1)),
            .sync(PTPSync(source: port, sequence: 2)),
            .followUp(PTPFollowUp(source: port, sequence: 2, preciseOriginTimestamp: time)),
            .delayRequest(request),
            .delayResponse(PTPDelayResponse(to: request.header, source: port, receiveTimestamp: time)),
            .peerDelayRequest(PTPPeerDelayRequest(source: requester, sequence: 9)),
            .peerDelayResponse(
                PTPPeerDelayResponse(to: request.header, source: port, requestReceiptTimestamp: time)),
            .peerDelayResponseFollowUp(
                PTPPeerDelayResponseFollowUp(to: request.header, source: port, responseOriginTimestamp: time)),
            .signaling(.periodic(source: port, sequence: 4)),
            .signaling(negotiation),
        ]
        if let grant = PTPSignaling.grant(to: negotiation, source: port) { samples.append(.signaling(grant)) }
        return samples
    }()

    static let lengths = [76, 44, 96, 44, 54, 54, 54, 54, 106, 44 + 10 + 7 + 10, 44 + 12 + 12]
    static let flags: [UInt16] = [
        0x0408, 0x0608, 0x0408, 0x0408, 0x0608, 0x0408, 0x0608, 0x0408, 0x0408, 0x0400, 0x0400,
    ]

    @Test("every message round-trips, with the profile's length and flags", arguments: samples.indices)
    func roundTrip(index: Int) throws {
        let message = Self.samples[index]
        let bytes = message.encoded
        #expect(bytes.count == Self.lengths[index])
        #expect(message.header.flags.rawValue == Self.flags[index])
        #expect(bytes[0] >> 4 == 1)
        #expect(try PTPMessage(datagram: bytes) == message)
    }

    @Test("padding after the message is ignored", arguments: samples.indices)
    func padding(index: Int) throws {
        let message = Self.samples[index]
        #expect(try PTPMessage(datagram: message.encoded + [1, 2, 3]) == message)
    }

    @Test("every truncation is an error", arguments: samples.indices)
    func truncation(index: Int) {
        let bytes = Self.samples[index].encoded
        for count in 0..<bytes.count {
            #expect(throws: WireError.self) { try PTPMessage(datagram: bytes[..<count]) }
        }
    }

    @Test(
        "every truncation that also says its length is an error or a message with fewer TLVs",
        arguments: samples.indices)
    func honestTruncation(index: Int) throws {
        let bytes = Self.samples[index].encoded
        for count in 0..<bytes.count {
            var cut = Array(bytes[..<count])
            if count >= 4 { (cut[2], cut[3]) = (UInt8(count >> 8), UInt8(count & 0xFF)) }
            guard let message = try? PTPMessage(datagram: cut) else { continue }
            #expect(message.header.type == Self.samples[index].header.type)
            // A TLV boundary, or one byte after it.
            #expect(
                message.encoded == Array(cut[..<message.encoded.count]).settingLength(message.encoded.count))
            #expect(count - message.encoded.count <= 1)
        }
    }

    @Test("random bytes never trap")
    func noise() {
        var generator = SeededGenerator(seed: 7)
        for sample in Self.samples {
            for _ in 0..<300 {
                var bytes = sample.encoded
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
                guard let message = try? PTPMessage(datagram: bytes) else { continue }
                // Everything that parses must encode, and parse to the same value.
                #expect((try? PTPMessage(datagram: message.encoded)) == message)
            }
        }
    }

    static let rejected: [(String, @Sendable (inout [UInt8]) -> Void, WireError)] = [
        ("type 7", { $0[0] = 0x17 }, .unexpected(field: "messageType", value: 7)),
        ("version 1", { $0[1] = 1 }, .unexpected(field: "versionPTP", value: 1)),
        ("a length below the header's", { $0[3] = 33 }, .outOfRange(field: "messageLength", value: 33)),
        ("a length beyond the end", { $0[3] = 77 }, .truncated(field: "message", needed: 77, available: 76)),
        (
            "a TLV beyond the end", { $0[67] = 9 }, .truncated(field: "tlvValue", needed: 9, available: 8)
        ),
    ]

    @Test("invalid messages are rejected with the field's name", arguments: rejected.indices)
    func rejects(index: Int) {
        var bytes = Self.samples[0].encoded
        Self.rejected[index].1(&bytes)
        #expect(throws: Self.rejected[index].2) { try PTPMessage(datagram: bytes) }
    }

    @Test("more TLVs than the limit are an error")
    func tooManyTLVs() {
        let many = PTPSignaling(
            source: Self.port, sequence: 1, target: .zero, flags: [], logInterval: 0,
            tlvs: Array(repeating: .unknown(type: 9, value: []), count: PTPTLV.mostPerMessage + 1))
        #expect(throws: WireError.outOfRange(field: "tlvCount", value: 33)) {
            try PTPMessage(datagram: PTPMessage.signaling(many).encoded)
        }
    }

    @Test("an answer copies the request's sequence, correction and port")
    func answers() {
        var request = PTPDelayRequest(source: Self.requester, sequence: 77)
        request.header.correction = PTPCorrection(rawValue: 0x1234)
        let response = PTPDelayResponse(to: request.header, source: Self.port, receiveTimestamp: .zero)
        #expect(response.header.sequence == 77)
        #expect(response.header.correction == PTPCorrection(rawValue: 0x1234))
        #expect(response.requester == Self.requester)
        #expect(response.header.source == Self.port)
    }

    @Test("a negotiation is granted request by request, for 300 s where no duration is requested")
    func grant() throws {
        guard case .signaling(let negotiation) = Self.samples[9],
            case .signaling(let grant) = Self.samples[10]
        else { throw WireError.trailingBytes(count: 0) }
        #expect(grant.target == negotiation.header.source)
        #expect(grant.header.sequence == negotiation.header.sequence)
        #expect(grant.header.logInterval == 0x7F)
        #expect(
            grant.tlvs.map { PTPMessageTests.grantBytes($0) } == [
                [0x00, 0x05, 0, 8, 0xB0, 0, 0, 0, 1, 0x2C, 0, 1],
                [0x00, 0x05, 0, 8, 0x00, 0xFD, 0, 0, 0, 60, 0, 1],
            ])
        #expect(PTPSignaling.grant(to: grant, source: Self.port) == nil)
    }

    static func grantBytes(_ tlv: PTPTLV) -> [UInt8] { tlv.encoded }
}

extension [UInt8] {
    /// The same message with another length in its header.
    fileprivate func settingLength(_ length: Int) -> [UInt8] {
        var copy = self
        (copy[2], copy[3]) = (UInt8(length >> 8), UInt8(length & 0xFF))
        return copy
    }
}
