import TuttiCryptography
import TuttiRTP

/// Interprets the bytes as one datagram: as a control packet, and as an audio packet, sealed and plain.
public func fuzzRealtimePackets(_ bytes: [UInt8]) throws(BrokenInvariant) {
    if let packet = try? RealtimeControlPacket(parsing: bytes[...]) {
        let again = try? RealtimeControlPacket(parsing: packet.encoded[...])
        try require(again == packet, "what is written is read again")
    }
    if let packet = try? RealtimePacket(plain: bytes[...]) {
        try require(packet.payload.count + RealtimePacket.headerByteCount == bytes.count, "no byte is lost")
        let again = try? RealtimePacket(plain: packet.plain()[...])
        try require(again == packet, "what is written is read again")
    }
    guard let key = try? SymmetricKey([UInt8](repeating: 1, count: 32)),
        var opener = try? RealtimePacketOpener(key: key)
    else { throw BrokenInvariant(description: "a key is a key") }
    try require((try? opener.open(bytes[...])) == nil, "nothing is authentic by chance")
}
