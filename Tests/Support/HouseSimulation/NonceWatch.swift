import TuttiSystemIO
import TuttiVirtualTime

/// Looks at the nonces of encrypted sound on its way: two different packets with one key must not have the same.
///
/// Buffered sound goes over a connection, in packets behind their length; realtime sound of AirPlay 2 in datagrams. Both
/// have the nonce, a counter from 0, in their last eight bytes, behind the authentication tag. A counter that begins again
/// at 0 must have a new key.
final class NonceWatch: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    private(set) var complaints: [String] = []
    private var readers: [UInt64: Reader] = [:]
    /// The nonces of each speaker's present key, with parts of their packets' authentication tags: other packets have other tags.
    private var digests: [IPAddress: [UInt64: UInt64]] = [:]
    private var beginnings: [IPAddress: Beginnings] = [:]

    /// The first bytes of the encrypted sound of the first packets under one key, and under the key before it.
    ///
    /// In the clear all packets begin alike (ALAC), so that the same beginnings tell that the keys are the same.
    private struct Beginnings {
        static let packetCount = 4
        static let byteCount = 2
        var present: [[UInt8]] = []
        var before: [[UInt8]] = []
    }

    /// The speakers of AirPlay 1, whose packets have no nonces.
    private let plain: Set<IPAddress>

    init(plain: Set<IPAddress>) { self.plain = plain }

    private struct Reader {
        var bytes: [UInt8] = []
        /// Whether the connection carries something else.
        var isOther = false

        /// Takes bytes, and returns the packets that they complete.
        mutating func take(_ more: UnsafeRawBufferPointer) -> [ArraySlice<UInt8>] {
            guard !isOther else { return [] }
            bytes += more
            var packets: [ArraySlice<UInt8>] = []
            var start = 0
            while bytes.count - start >= 3 {
                let count = Int(bytes[start]) << 8 | Int(bytes[start + 1])
                guard count >= 2 + NonceWatch.overhead, bytes[start + 2] == NonceWatch.version else {
                    self = Reader(isOther: true)
                    return []
                }
                guard bytes.count - start >= count else { break }
                packets.append(bytes[(start + 2)..<(start + count)])
                start += count
            }
            bytes.removeFirst(start)
            return packets
        }
    }

    private static let headerByteCount = 12
    fileprivate static let overhead = headerByteCount + 16 + 8
    fileprivate static let version: UInt8 = 0x80
    private static let realtimeType: UInt8 = 96

    /// Takes bytes of a connection.
    func look(at bytes: UnsafeRawBufferPointer, on connection: UInt64, to peer: SocketAddress) {
        // In place: a copy would copy every byte that waits.
        let packets = readers[connection, default: Reader()].take(bytes)
        for packet in packets { note(packet, of: peer.address) }
    }

    /// Takes a datagram.
    func look(at datagram: [UInt8], to peer: SocketAddress) {
        guard !plain.contains(peer.address), datagram.count > Self.overhead, datagram[0] == Self.version,
            datagram[1] & 0x7F == Self.realtimeType
        else { return }
        note(datagram[...], of: peer.address)
    }

    private func note(_ packet: ArraySlice<UInt8>, of speaker: IPAddress) {
        let nonce = packet.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digest = packet.dropLast(8).suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let before = digests[speaker]?[nonce]
        // A copy.
        guard before != digest else { return }
        if nonce == 0 {
            digests[speaker] = [:]
            beginnings[speaker] = Beginnings(before: beginnings[speaker]?.present ?? [])
        } else if before != nil {
            complaints.append("two packets to \(speaker) have the nonce \(nonce)")
        }
        digests[speaker, default: [:]][nonce] = digest
        noteBeginning(of: packet, nonce, speaker)
    }

    /// Complains of a key whose nonces have begun again at 0.
    private func noteBeginning(of packet: ArraySlice<UInt8>, _ nonce: UInt64, _ speaker: IPAddress) {
        guard var known = beginnings[speaker], known.present.count < Beginnings.packetCount,
            nonce == UInt64(known.present.count)
        else { return }
        known.present.append(Array(packet.dropFirst(Self.headerByteCount).prefix(Beginnings.byteCount)))
        beginnings[speaker] = known
        if known.present.count == Beginnings.packetCount, known.present == known.before {
            complaints.append("two packets to \(speaker) have the nonce 0, under one key")
        }
    }
}
