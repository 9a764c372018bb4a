import Foundation

/// Turns parts of a house's state, such as a room or an entry, into the contents of rows, and back. Takes every number: a
/// file may claim an infinite length.
final class StateCoder {
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()
    /// The number of parts that could not be read.
    private(set) var unreadCount = 0

    init() {
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }

    /// Returns the content of a part's row. `nil` only by a fault of ours: the types are the house's.
    func content(of part: some Encodable) -> Data? { try? encoder.encode(part) }

    /// Returns a part; `nil` if it cannot be read, such as one of a later release, which is counted.
    func part<Part: Decodable>(_ type: Part.Type, _ content: Data) -> Part? {
        do { return try decoder.decode(type, from: content) } catch {
            unreadCount += 1
            return nil
        }
    }

    /// The words for the user about the parts that could not be read; `nil` without any.
    var trouble: Trouble? {
        guard unreadCount > 0 else { return nil }
        return Trouble(
            code: "state-in-part",
            message: "\(unreadCount) \(unreadCount == 1 ? "part" : "parts") of the stored state of the house"
                + " (rooms, queue entries, alarms or sleep timers) cannot be read and"
                + " \(unreadCount == 1 ? "is" : "are") left out. A later release may have written them.")
    }
}
