import AirPlayMessages
import Foundation
import TuttiTestSupport

/// The bodies of `bplists.json`.
enum RecordedBodies {
    struct Body: Sendable, CustomStringConvertible {
        let message: String
        let bytes: [UInt8]
        /// The decoded form as JSON text, data as hexadecimal digits.
        let json: String

        var description: String { "\(message) \(bytes.count)" }
        var isRequest: Bool { message.hasPrefix("request") }
    }

    static let all: [Body] = load()

    static func bytes(_ message: String, _ index: Int = 0) throws -> [UInt8] {
        let found = all.filter { $0.message == message }
        guard index < found.count else { throw CocoaError(.fileReadNoSuchFile) }
        return found[index].bytes
    }

    /// Empty when the file cannot be read; a test requires the count.
    private static func load() -> [Body] {
        guard let file = try? Vectors.dictionary("airplay/bplists.json") else { return [] }
        return file.sorted { $0.key < $1.key }.flatMap { message, entries in
            (entries as? [[String: Any]] ?? []).compactMap { entry in
                guard let base64 = entry["bplist_base64"] as? String, let data = Data(base64Encoded: base64),
                    let decoded = entry["decoded"]
                else { return nil }
                return Body(message: message, bytes: Array(data), json: text(decoded))
            }
        }
    }

    private static func text(_ json: Any) -> String {
        (try? JSONSerialization.data(withJSONObject: json, options: [.sortedKeys, .fragmentsAllowed]))
            .map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Returns the same text form of a value that was read.
    static func text(_ list: PropertyList) -> String { text(json(list)) }

    private static func json(_ list: PropertyList) -> Any {
        switch list {
        case .string(let value): value
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .boolean(let value): NSNumber(value: value)
        case .data(let bytes): hex(bytes)
        case .array(let values): values.map(json)
        case .dictionary(let pairs): pairs.mapValues(json)
        case .date, .uid, .null: NSNull()
        }
    }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
