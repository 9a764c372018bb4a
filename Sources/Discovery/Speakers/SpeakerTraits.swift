/// What a sender needs to know of a speaker before it connects.
public struct SpeakerTraits: Hashable, Sendable {
    /// What stands between a sender and the first sound.
    public enum Pairing: String, Hashable, Sendable {
        /// Nothing, or what the sender can do by itself.
        case none
        /// The speaker shows a number that someone has to type.
        case pin
        /// The speaker plays for members of its home only.
        case home
    }

    public let speaksAirPlay1: Bool
    public let speaksAirPlay2: Bool
    /// It keeps minutes of music (stream type 103).
    public let isBuffered: Bool
    public let usesPTP: Bool
    public let pairing: Pairing
    public let needsPassword: Bool
}

extension DiscoveredSpeaker {
    /// What the TXT records promise. Some devices promise too much: `/info` has the last word.
    public var traits: SpeakerTraits {
        let features = number("features", in: airplay) ?? number("ft", in: raop) ?? 0
        let flags = number("flags", in: airplay) ?? number("sf", in: raop) ?? 0
        let ap2 = airplay != nil && features & (1 << 38 | 1 << 43 | 1 << 46 | 1 << 48) != 0
        let password =
            flags & 0x80 != 0 || airplay?.txt.value(of: "pw") == "true" || raop?.txt.value(of: "pw") == "true"
        let pairing: SpeakerTraits.Pairing =
            flags & 0x208 != 0 ? .pin : airplay?.txt.value(of: "acl") == "2" ? .home : .none
        return SpeakerTraits(
            speaksAirPlay1: raop != nil, speaksAirPlay2: ap2, isBuffered: ap2 && features & 1 << 40 != 0,
            usesPTP: ap2 && features & 1 << 41 != 0, pairing: pairing, needsPassword: password)
    }

    /// TEMPORARY until AirPlayMessages is there.
    private func number(_ key: String, in service: DiscoveredService?) -> UInt64? {
        guard let text = service?.txt.value(of: key) else { return nil }
        var value: UInt64 = 0
        for (index, part) in text.split(separator: ",").prefix(2).enumerated() {
            let digits = part.drop { $0 == " " }
            let bare = digits.hasPrefix("0x") ? digits.dropFirst(2) : digits
            guard let word = UInt64(bare, radix: 16), word <= UInt32.max else { return nil }
            value |= word << (32 * UInt64(index))
        }
        return value
    }
}
