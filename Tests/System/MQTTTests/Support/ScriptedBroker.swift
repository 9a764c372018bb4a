import TuttiSystemIO
import TuttiTestSupport

/// A broker that records what comes and answers as a test says.
final class ScriptedBroker: Sendable {
    /// A packet: the first byte, and what follows the length.
    struct Packet: Sendable {
        var head: UInt8
        var body: [UInt8]

        var kind: UInt8 { head >> 4 }
    }

    let packets = Recorder<[Packet]>([])
    let connections = Recorder<[TCPConnection]>([])
    private let listener: TCPListener
    private let answer: @Sendable (Packet, TCPConnection) -> Void

    /// - Parameter answer: Called for each packet, after it was recorded.
    init(answer: @escaping @Sendable (Packet, TCPConnection) -> Void) throws {
        self.answer = answer
        listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        listener.start { [packets, connections, answer] connection in
            connections.update { $0.append(connection) }
            let parser = Recorder(PacketParser())
            connection.start(
                onBytes: { bytes in
                    for packet in parser.update({ $0.append(bytes) }) {
                        packets.update { $0.append(packet) }
                        answer(packet, connection)
                    }
                }, onClose: { _ in })
        }
    }

    deinit { listener.close() }

    var port: UInt16 { listener.address.port }

    /// The answer of a broker of MQTT 5 or 3.1.1 that agrees to everything.
    static let agrees: @Sendable (Packet, TCPConnection) -> Void = { packet, connection in
        switch packet.kind {
        case 1: connection.send(packet.body[6] == 5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0])
        case 8:
            // Without properties, or with none of them.
            connection.send([0x90, 4, packet.body[0], packet.body[1], 0, 1])
        default: break
        }
    }

    /// Returns the topics and payloads of the published messages so far (MQTT 5, quality 0, no properties).
    static func published(_ packets: [Packet]) -> [String] {
        packets.filter { $0.kind == 3 }.map { packet in
            let count = Int(packet.body[0]) << 8 | Int(packet.body[1])
            let topic = String(decoding: packet.body[2..<2 + count], as: UTF8.self)
            return topic + "=" + String(decoding: packet.body[(3 + count)...], as: UTF8.self)
        }
    }

    /// Returns a PUBLISH packet of quality 0.
    static func publish(_ topic: String, _ payload: [UInt8]) -> [UInt8] {
        let name = Array(topic.utf8)
        let body = [UInt8(name.count >> 8), UInt8(name.count & 0xFF)] + name + [0] + payload
        var length = body.count
        var head: [UInt8] = [0x30]
        repeat {
            head.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return head + body
    }
}

/// The packets in a stream of bytes.
struct PacketParser {
    private var bytes: [UInt8] = []

    mutating func append(_ more: [UInt8]) -> [ScriptedBroker.Packet] {
        bytes += more
        var packets: [ScriptedBroker.Packet] = []
        while let packet = next() { packets.append(packet) }
        return packets
    }

    private mutating func next() -> ScriptedBroker.Packet? {
        var (length, place) = (0, 1)
        while place < bytes.count, place <= 4 {
            length |= Int(bytes[place] & 0x7F) << (7 * (place - 1))
            place += 1
            if bytes[place - 1] & 0x80 == 0 {
                guard bytes.count >= place + length else { return nil }
                let packet = ScriptedBroker.Packet(head: bytes[0], body: Array(bytes[place..<place + length]))
                bytes.removeFirst(place + length)
                return packet
            }
        }
        return nil
    }
}
