import TuttiHouse
import TuttiMQTT

extension RoomID {
    /// The level of topics that stands for the room; stays as long as the id.
    ///
    /// A hardware address becomes its twelve digits; an id of letters and digits stays; any other one is
    /// made safe, and gets a number of its own, so that two ids never share a level by their spelling.
    var topicLevel: String {
        let digits = rawValue.lowercased().filter { $0 != ":" }
        if rawValue.utf8.count == 17, rawValue.utf8.filter({ $0 == UInt8(ascii: ":") }).count == 5,
            Self.isAddress(digits)
        {
            return digits
        }
        let level = MQTTTopic.level(rawValue)
        if !level.isEmpty, level == rawValue, !Self.isAddress(level) { return level }
        return (level.isEmpty ? "room" : level) + "-" + Self.number(rawValue)
    }

    private static func isAddress(_ text: String) -> Bool {
        text.utf8.count == 12 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// FNV-1a of 64 bits, in hexadecimal digits.
    private static func number(_ text: String) -> String {
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
