import AirPlayMessages

/// The traits of a speaker that matter to a user before anything connects.
package struct SpeakerTraits: Hashable, Sendable {
    /// Whether the speaker can play as an AirPlay 1 speaker.
    package let speaksAirPlay1: Bool
    /// Whether the speaker supports AirPlay 2.
    package let speaksAirPlay2: Bool
    /// Whether the speaker buffers minutes of music (stream type 103).
    package let isBuffered: Bool
    /// Whether the speaker supports AirPlay 2 with a PTP clock.
    package let usesPTP: Bool
    /// Whether the speaker shows a PIN that the user has to type once.
    package let needsPIN: Bool
    /// Whether the speaker plays only for members of its home, and refuses pairing from outside.
    package let needsHome: Bool
    /// Whether the speaker requires a password.
    package let needsPassword: Bool
}

extension DiscoveredSpeaker {
    /// The description in both TXT records, for all decisions of a sender. `/info` takes precedence.
    package var receiver: ReceiverDescription {
        ReceiverDescription(
            airPlay: airplay.map { AirPlayTXTRecord($0.pairs) }, raop: raop.map { RAOPTXTRecord($0.pairs) })
    }

    /// The traits that the announcements show.
    package var traits: SpeakerTraits {
        let receiver = receiver
        return SpeakerTraits(
            speaksAirPlay1: raop != nil, speaksAirPlay2: receiver.supportsAirPlay2,
            isBuffered: receiver.supportsBufferedAudio,
            usesPTP: receiver.supportsAirPlay2 && receiver.supportsPTP,
            needsPIN: !receiver.statusFlags.isDisjoint(with: [.pinRequired, .oneTimePairingRequired]),
            needsHome: receiver.airPlay?.accessControlLevel == Self.sameHomeOnly,
            needsPassword: receiver.requiresPassword)
    }

    /// The `acl` values: 0 everyone, 1 same network, 2 same home.
    private static let sameHomeOnly = 2
}

extension DiscoveredService {
    fileprivate var pairs: [(key: String, value: String)] { txt.map { ($0.key, $0.value) } }
}
