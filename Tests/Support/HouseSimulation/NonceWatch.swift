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
    private var nonces: [Pair: Nonces] = [:]
    /// The speakers of AirPlay 1, whose packets have no nonces.
    private let plain: Set<IPAddress>

    init(plain: Set<IPAddress>) { self.plain = plain }

    /// A sender and a speaker. While one sender takes a speaker from another, both send to it, each with its own key.
    private struct Pair: Hashable {
        let sender, speaker: IPAddress
    }

    private static let headerByteCount = 12
    private static let overhead = headerByteCount + 16 + 8
    private static let version: UInt8 = 0x80
    private static let realtimeType: UInt8 = 96

    /// Takes bytes of a connection.
    func look(
        at bytes: UnsafeRawBufferPointer, on connection: UInt64, from sender: IPAddress,
        to peer: SocketAddress
    ) {
        let pair = Pair(sender: sender, speaker: peer.address)
        // In place: a copy would copy every byte that waits.
        readers[connection, default: Reader(nonces: nonces(of: pair))].take(bytes) { packet, nonces in
            note(packet, nonces, of: peer.address)
        }
    }

    /// Takes a datagram.
    func look(at datagram: [UInt8], from sender: IPAddress, to peer: SocketAddress) {
        guard !plain.contains(peer.address), datagram.count > Self.overhead, datagram[0] == Self.version,
            datagram[1] & 0x7F == Self.realtimeType
        else { return }
        let nonces = nonces(of: Pair(sender: sender, speaker: peer.address))
        datagram.withUnsafeBytes { note($0, nonces, of: peer.address) }
    }

    private func nonces(of pair: Pair) -> Nonces {
        if let known = nonces[pair] { return known }
        let new = Nonces()
        nonces[pair] = new
        return new
    }

    private func note(_ packet: UnsafeRawBufferPointer, _ nonces: Nonces, of speaker: IPAddress) {
        let nonce = UInt64(
            littleEndian: packet.loadUnaligned(fromByteOffset: packet.count - 8, as: UInt64.self))
        let digest = packet.loadUnaligned(fromByteOffset: packet.count - 16, as: UInt64.self)
        let beginning = packet.loadUnaligned(fromByteOffset: Self.headerByteCount, as: UInt16.self)
        switch nonces.note(nonce, digest, beginning: beginning) {
        case .good: break
        case .again: complaints.append("two packets to \(speaker) have the nonce \(nonce)")
        case .oldKey: complaints.append("two packets to \(speaker) have the nonce 0, under one key")
        case .tooFarAhead: complaints.append("the nonce \(nonce) to \(speaker) is far beyond the last one")
        }
    }

    /// Puts the bytes of a connection together to packets.
    private struct Reader {
        let nonces: Nonces
        var bytes: [UInt8] = []
        /// Whether the connection carries something else.
        var isOther = false

        /// Takes bytes, and calls `body` with each packet that they complete.
        mutating func take(_ more: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Nonces) -> Void) {
            guard !isOther else { return }
            bytes += more
            var start = 0
            while bytes.count - start >= 3 {
                let count = Int(bytes[start]) << 8 | Int(bytes[start + 1])
                guard count >= 2 + NonceWatch.overhead, bytes[start + 2] == NonceWatch.version else {
                    (bytes, isOther) = ([], true)
                    return
                }
                guard bytes.count - start >= count else { break }
                bytes.withUnsafeBytes {
                    body(UnsafeRawBufferPointer(rebasing: $0[(start + 2)..<(start + count)]), nonces)
                }
                start += count
            }
            bytes.removeFirst(start)
        }
    }

    /// The nonces under the present key of one sender and one speaker.
    private final class Nonces {
        enum Finding {
            case good, again, oldKey, tooFarAhead
        }

        /// Parts of the packets' authentication tags, by nonce: other packets have other tags. 0 for a nonce not seen.
        private var digests: [UInt64] = []
        /// The first bytes of the encrypted sound of the first packets, and of those under the key before.
        ///
        /// In the clear all packets begin alike (ALAC), so that the same beginnings tell that the keys are the same.
        private var beginnings: [UInt16] = []
        private var beginningsBefore: [UInt16] = []

        private static let beginningCount = 4
        private static let greatestGap = 1 << 20

        func note(_ nonce: UInt64, _ digest: UInt64, beginning: UInt16) -> Finding {
            guard nonce < UInt64(digests.count + Self.greatestGap) else { return .tooFarAhead }
            let index = Int(nonce)
            let before = index < digests.count ? digests[index] : 0
            // A copy.
            guard before != digest else { return .good }
            if index == 0 {
                digests.removeAll(keepingCapacity: true)
                (beginnings, beginningsBefore) = ([], beginnings)
            }
            while digests.count <= index { digests.append(0) }
            digests[index] = digest
            if index > 0, before != 0 { return .again }
            guard index < Self.beginningCount, index == beginnings.count else { return .good }
            beginnings.append(beginning)
            let isOldKey = beginnings.count == Self.beginningCount && beginnings == beginningsBefore
            return isOldKey ? .oldKey : .good
        }
    }
}
