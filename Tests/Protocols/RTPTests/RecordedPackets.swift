import Foundation
import TuttiTestSupport

/// The packets of `rtp-packets.json`.
enum RecordedPackets {
    struct Packet: Sendable, CustomStringConvertible {
        let sequence: UInt32
        let rtpTime: UInt32
        let counter: UInt64
        let key: [UInt8]
        let header: [UInt8]
        let payload: [UInt8]
        /// The packets with their length prefix.
        let frame: [UInt8]

        var description: String { "packet \(sequence)" }
    }

    /// Empty when the file cannot be read; a test requires the count.
    static let all: [Packet] = {
        let file = try? Vectors.dictionary("airplay/rtp-packets.json")
        return (file?["packets"] as? [[String: Any]] ?? []).compactMap(packet)
    }()

    private static func packet(_ entry: [String: Any]) -> Packet? {
        guard let sequence = entry["seq"] as? UInt32, let rtpTime = entry["rtp_timestamp"] as? UInt32,
            let key = entry["shk"] as? String, let counter = entry["nonce8_LE_counter"] as? String,
            let header = entry["header12"] as? String, let payload = entry["plaintext_alac"] as? String,
            let frame = entry["on_wire"] as? String
        else { return nil }
        return Packet(
            sequence: sequence, rtpTime: rtpTime,
            counter: Vectors.bytes(hex: counter).reversed().reduce(0) { $0 << 8 | UInt64($1) },
            key: Vectors.bytes(hex: key), header: Vectors.bytes(hex: header),
            payload: Vectors.bytes(hex: payload),
            frame: Vectors.bytes(hex: frame))
    }
}
