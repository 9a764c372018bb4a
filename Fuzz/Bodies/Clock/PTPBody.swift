import TuttiMediaTime
import TuttiPTP
import TuttiWire

/// Reads a PTP message, writes it and reads the result.
public func fuzzPTP(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let message = try? PTPMessage(datagram: bytes) else { return }
    try roundTrip(message)
    guard case .signaling(let request) = message else { return }
    let source = PTPPortIdentity(clock: ClockIdentity(rawValue: 0x0200_0000_0000_0001), port: 1)
    guard let grant = PTPSignaling.grant(to: request, source: source) else { return }
    try require(grant.tlvs.count <= PTPTLV.mostPerMessage, "grants are bounded")
    try roundTrip(.signaling(grant))
}

private func roundTrip(_ message: PTPMessage) throws(BrokenInvariant) {
    let encoded = message.encoded
    try require(encoded.count >= PTPHeader.byteCount, "a message has a header")
    guard let again = try? PTPMessage(datagram: encoded) else {
        throw BrokenInvariant(description: "a message that was encoded can be read")
    }
    try require(again == message, "a message that was encoded is the same")
    try require((try? PTPMessage(datagram: encoded + [0])) == message, "padding changes nothing")
    try require(
        (try? PTPMessage(datagram: encoded.dropLast())) == nil, "a message that is cut short is an error")
    if case .announce(let announce) = message { try checkTimestamp(announce.originTimestamp) }
    if case .followUp(let followUp) = message { try checkTimestamp(followUp.preciseOriginTimestamp) }
}

private func checkTimestamp(_ timestamp: PTPTimestamp) throws(BrokenInvariant) {
    let time = timestamp.networkTime
    guard time.nanoseconds < .max else { return }
    try require(PTPTimestamp(time) == timestamp, "a time in the range of the type is exact")
}
