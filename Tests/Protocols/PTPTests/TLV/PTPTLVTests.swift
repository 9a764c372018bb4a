import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiWire

@Suite("TLVs of PTP messages")
struct PTPTLVTests {
    static let clocks = [ClockIdentity(rawValue: 1), ClockIdentity(rawValue: .max)]

    static let forms: [(PTPTLV, [UInt8])] = [
        (.pathTrace([]), [0, 8, 0, 0]),
        (
            .pathTrace(clocks),
            [0, 8, 0, 16, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        ),
        (.apple(subtype: 0xFF_FFFF, value: []), [0, 3, 0, 6, 0, 0x0D, 0x93, 0xFF, 0xFF, 0xFF]),
        (.apple(subtype: 1, value: [7]), [0, 3, 0, 7, 0, 0x0D, 0x93, 0, 0, 1, 7]),
        (
            .unicastRequest(
                PTPUnicastRequest(messageType: 15, logInterval: -128, durationSeconds: .max)),
            [0, 4, 0, 6, 0xF0, 0x80, 0xFF, 0xFF, 0xFF, 0xFF]
        ),
        (
            .unicastGrant(
                PTPUnicastGrant(
                    request: PTPUnicastRequest(messageType: 0xB, logInterval: 127, durationSeconds: 1),
                    invitesRenewal: false)), [0, 5, 0, 8, 0xB0, 0x7F, 0, 0, 0, 1, 0, 0]
        ),
        (.unknown(type: 0, value: []), [0, 0, 0, 0]),
        (.unknown(type: .max, value: [1, 2, 3]), [0xFF, 0xFF, 0, 3, 1, 2, 3]),
    ]

    @Test("a TLV has one form, which is read and written", arguments: forms)
    func form(tlv: PTPTLV, bytes: [UInt8]) throws {
        #expect(tlv.encoded == bytes)
        #expect(try PTPTLV(exactly: bytes) == tlv)
    }

    /// Types whose content has a fixed length or form, with a content that does not fit.
    static let misfits: [(type: UInt16, content: [UInt8])] = [
        (8, Array(repeating: 1, count: 7)), (8, Array(repeating: 1, count: 9)),
        (8, Array(repeating: 1, count: 15)), (4, Array(repeating: 2, count: 5)),
        (4, Array(repeating: 2, count: 7)), (5, Array(repeating: 3, count: 6)),
        (5, Array(repeating: 3, count: 7)), (5, Array(repeating: 3, count: 9)), (3, []),
        (3, [0, 0x0D, 0x93, 0, 0]),
        // IEEE 802.1's follow-up information, too short, too long, and another subtype.
        (3, [0, 0x80, 0xC2, 0, 0, 1] + Array(repeating: 0, count: 21)),
        (3, [0, 0x80, 0xC2, 0, 0, 1] + Array(repeating: 0, count: 23)),
        (3, [0, 0x80, 0xC2, 0, 0, 2] + Array(repeating: 0, count: 22)),
        // Another organization.
        (3, [0, 0x0D, 0x94, 0, 0, 1, 9]),
    ]

    @Test("a TLV whose content does not fit its type is kept unchanged", arguments: misfits)
    func misfit(type: UInt16, content: [UInt8]) throws {
        let bytes = [UInt8(type >> 8), UInt8(type & 0xFF), 0, UInt8(content.count)] + content
        let tlv = try PTPTLV(exactly: bytes)
        #expect(tlv == .unknown(type: type, value: content))
        #expect(tlv.encoded == bytes)
    }

    @Test("the follow-up information keeps every field")
    func followUpInformation() throws {
        var information = PTPFollowUpInformation()
        information.cumulativeScaledRateOffset = 0x8000_0001
        information.grandmasterTimeBaseIndicator = 0xFFFE
        information.lastGrandmasterPhaseChange = Array(1...12)
        information.scaledLastGrandmasterFrequencyChange = 0x0102_0304
        let bytes = PTPTLV.followUpInformation(information).encoded
        #expect(bytes.count == 4 + 6 + 22)
        #expect(Array(bytes[10..<16]) == [0x80, 0, 0, 1, 0xFF, 0xFE])
        #expect(Array(bytes.suffix(4)) == [1, 2, 3, 4])
        #expect(try PTPTLV(exactly: bytes) == .followUpInformation(information))
    }

    @Test("reserved bits of a request and a grant have no meaning")
    func reserved() throws {
        let request = PTPTLV.unicastRequest(
            PTPUnicastRequest(messageType: 9, logInterval: 0, durationSeconds: 2))
        #expect(try PTPTLV(exactly: [0, 4, 0, 6, 0x9F, 0, 0, 0, 0, 2]) == request)
        #expect(PTPUnicastRequest(messageType: 0xF9, logInterval: 0, durationSeconds: 2).messageType == 9)
        for (last, invites) in [(UInt8(0), false), (1, true), (0xFE, false), (0xFF, true)] {
            let tlv = try PTPTLV(exactly: [0, 5, 0, 8, 0x90, 0, 0, 0, 0, 2, 0xAA, last])
            guard case .unicastGrant(let grant) = tlv else { throw WireError.trailingBytes(count: 0) }
            #expect(grant.invitesRenewal == invites)
        }
    }

    @Test("a grant has the requested interval and duration, and 300 s where none is requested")
    func granting() {
        for (wanted, granted) in [(UInt32(0), UInt32(300)), (1, 1), (300, 300), (.max, .max)] {
            let request = PTPUnicastRequest(messageType: 0, logInterval: -7, durationSeconds: wanted)
            let grant = PTPUnicastGrant(granting: request)
            #expect(grant.request.durationSeconds == granted)
            #expect(grant.request.logInterval == -7)
            #expect(grant.invitesRenewal)
        }
    }

    @Test("a message keeps TLVs up to the limit, in their order")
    func limit() throws {
        let tlvs = (0..<PTPTLV.mostPerMessage).map { number in
            PTPTLV.unknown(type: UInt16(0x4000 + number), value: Array(repeating: 1, count: number))
        }
        let message = PTPSignaling(
            source: .zero, sequence: 1, target: .zero, flags: [], logInterval: 0, tlvs: tlvs)
        guard case .signaling(let read) = try PTPMessage(datagram: PTPMessage.signaling(message).encoded)
        else { throw WireError.trailingBytes(count: 0) }
        #expect(read.tlvs == tlvs)
    }
}
