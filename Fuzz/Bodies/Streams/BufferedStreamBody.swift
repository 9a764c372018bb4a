import TuttiMediaTime
import TuttiRTP
import TuttiWire

/// First byte: cuts. Then the bytes of a buffered stream, which are split into packets, opened and,
/// as our payload, sealed and opened.
public func fuzzBufferedStream(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    let choice = input.byte()
    let whole = try packets(of: input.rest, choice: .max)
    let cut = try packets(of: input.rest, choice: choice)
    try require(whole.packets == cut.packets, "pieces give the same packets")
    try require(whole.failure == cut.failure, "pieces give the same error")
    for packet in cut.packets { try openForeign(packet[...]) }
    try openSealed(Array(input.rest.dropFirst()), style: input.byte())
}

private func packets(
    of bytes: ArraySlice<UInt8>, choice: UInt8
) throws(BrokenInvariant) -> (packets: [[UInt8]], failure: RTPError?) {
    var parser = BufferedStreamParser()
    var found: [[UInt8]] = []
    for piece in pieces(of: bytes, choice: choice) {
        parser.append(piece)
        do throws(RTPError) {
            while let packet = try parser.nextPacket() { found.append(packet) }
        } catch {
            try require(parser.pendingByteCount == 0, "nothing is kept after an error")
            return (found, error)
        }
    }
    let taken = found.reduce(0) { $0 + $1.count + BufferedPacketLayout.lengthByteCount }
    try require(taken + parser.pendingByteCount == bytes.count, "every byte is in a packet or pending")
    try require(
        parser.pendingByteCount <= BufferedPacketLayout.packetByteLimit
            + BufferedPacketLayout.lengthByteCount,
        "what is kept is bounded")
    return (found, nil)
}

private func openForeign(_ packet: ArraySlice<UInt8>) throws(BrokenInvariant) {
    if let header = try? BufferedPacketOpener.header(of: packet) {
        let again = try? BufferedPacketHeader(exactly: header.encoded)
        try require(again == header, "a header that was encoded is the same")
    }
    guard var opener = try? BufferedPacketOpener(key: fixedKey(3)) else { return }
    try require((try? opener.open(packet)) == nil, "a packet of another key does not open")
}

private func openSealed(_ bytes: [UInt8], style: UInt8) throws(BrokenInvariant) {
    let key = try fixedKey(4)
    let payload = Array(bytes.prefix(BufferedPacketLayout.payloadByteLimit))
    let rtpTime = RTPTime(rawValue: UInt32(truncatingIfNeeded: bytes.count) << 24 | UInt32(style))
    guard
        var sealer = try? BufferedPacketSealer(
            key: key, style: style & 1 == 0 ? .formatCode23 : .classicRTP16),
        var opener = try? BufferedPacketOpener(key: key)
    else { return }
    var sealed = [UInt8](repeating: 0, count: payload.count + BufferedPacketLayout.overhead)
    let count = payload.withUnsafeBytes { source in
        sealed.withUnsafeMutableBytes { place in
            try? sealer.seal(
                payload: source, sequence: SequenceNumber(truncating: UInt32(style) << 16),
                rtpTime: rtpTime, formatCode: 0x1600_0000, into: place)
        }
    }
    try require(count == sealed.count, "a packet has the size of its parts")
    var parser = BufferedStreamParser()
    parser.append(sealed)
    guard let packet = try? parser.nextPacket(), let opened = try? opener.open(packet[...]) else {
        throw BrokenInvariant(description: "a packet that was sealed opens")
    }
    try require(opened.payload == payload && opened.header.rtpTime == rtpTime, "it is the same packet")
}
