import AirPlayMessages

/// What someone choosing a speaker wants to know of it before anything connects.
public struct SpeakerTraits: Hashable, Sendable {
    /// It can be played to as an AirPlay 1 speaker.
    public let speaksAirPlay1: Bool
    public let speaksAirPlay2: Bool
    /// It keeps minutes of music (stream type 103).
    public let isBuffered: Bool
    public let usesPTP: Bool
    /// It shows a number that someone has to type once.
    public let needsPIN: Bool
    /// It plays for members of its home only, and cannot be paired with from outside.
    public let needsHome: Bool
    public let needsPassword: Bool
}

extension DiscoveredSpeaker {
    /// What the two TXT records say, for all decisions of a sender. `/info` has the last word.
    public var receiver: ReceiverDescription {
        ReceiverDescription(
            airPlay: airplay.map { AirPlayTXTRecord($0.pairs) }, raop: raop.map { RAOPTXTRecord($0.pairs) })
    }

    public var traits: SpeakerTraits {
        let receiver = receiver
        return SpeakerTraits(
            speaksAirPlay1: raop != nil, speaksAirPlay2: receiver.supportsAirPlay2,
            isBuffered: receiver.supportsBufferedAudio,
            usesPTP: receiver.supportsAirPlay2 && receiver.supportsPTP,
            needsPIN: !receiver.statusFlags.isDisjoint(with: [.pinRequired, .oneTimePairingRequired]),
            needsHome: receiver.airPlay?.accessControlLevel == Self.sameHomeOnly,
            needsPassword: receiver.requiresPassword)
    }

    /// `acl`: 0 everyone, 1 same network, 2 same home.
    private static let sameHomeOnly = 2
}

extension DiscoveredService {
    fileprivate var pairs: [(key: String, value: String)] { txt.map { ($0.key, $0.value) } }
}
