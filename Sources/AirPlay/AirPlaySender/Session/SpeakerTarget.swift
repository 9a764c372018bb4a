import AirPlayMessages
import TuttiPCM
import TuttiSystemIO

/// A speaker to play to, with its name and addresses. Two targets are equal when they mean the same speaker: by ``key``.
public struct SpeakerTarget: Hashable, Sendable {
    /// The name in messages and events.
    public var name: String
    /// The addresses, tried in order.
    public var addresses: [SocketAddress]
    /// The local address to connect from; `nil` for the system's choice.
    public var localAddress: IPAddress?
    /// The `_airplay._tcp` record, if mDNS found one.
    package var record: AirPlayTXTRecord?
    /// The `_raop._tcp` record, if mDNS found one.
    package var raop: RAOPTXTRecord?
    /// The speaker's password; `nil` when it has none or it is unknown.
    public var password: String?
    /// The device, if the target is one of this machine; the other properties but the name then have no use.
    package var local: (any LocalSpeaker)?
    /// The parts of the kind of session that the user has fixed.
    public var override = SessionChoice.Override()
    /// How much later than the others the speaker plays.
    public var delay = SpeakerDelay.zero
    /// The volume to begin with, in percent of ``maximumVolume``; `nil` for the volume of the group.
    public var volume: Double?
    /// The speaker's loudest volume, in percent of its own scale: the volume 100 of this program.
    public var maximumVolume = 100.0
    /// The speaker's equaliser and night mode.
    public var treatment = SoundTreatment.none
    /// Whether a speaker that another sender uses is left to it.
    public var yieldsToOthers = false
    /// Whether a speaker that plays alone and never asks for its clock is tried with another.
    package var triesOtherClock = true
    /// The identity that stays when name and address change; `nil` if unknown. Both halves of a stereo pair have
    /// the pair's.
    public var id: String?
    /// The name of the stereo pair that the speaker is a half of.
    public var pair: String?

    /// The id that no other speaker has: ``id``, for the half of a stereo pair the id of the device itself, and without an id
    /// the name.
    public var key: String {
        guard let id else { return name }
        guard pair != nil else { return id }
        return record?.deviceID ?? "\(id) \(name)"
    }

    /// The speaker as events name it, by its ``key`` and its name.
    public var named: NamedSpeaker { NamedSpeaker(id: key, name: name) }

    /// Returns whether the speaker announces a password that nobody has given, and is not paired.
    package func needsPassword(unlessPairedIn pairings: SpeakerPairings) -> Bool {
        password == nil && local == nil
            && ReceiverDescription(airPlay: record, raop: raop).requiresPassword
            && id.map(pairings.knows) != true
    }

    /// Creates a target.
    public init(
        name: String, addresses: [SocketAddress], localAddress: IPAddress? = nil, password: String? = nil
    ) {
        (self.name, self.addresses) = (name, addresses)
        (self.localAddress, self.password) = (localAddress, password)
    }

    /// Creates a target with its mDNS records.
    package init(
        name: String, addresses: [SocketAddress], localAddress: IPAddress? = nil,
        record: AirPlayTXTRecord?, raop: RAOPTXTRecord? = nil, password: String? = nil
    ) {
        self.init(name: name, addresses: addresses, localAddress: localAddress, password: password)
        (self.record, self.raop) = (record, raop)
    }

    /// Whether the mDNS records offer AirPlay 1 and not AirPlay 2; `false` for a speaker without records.
    ///
    /// Only the records tell: shairport-sync without nqptp describes itself in `/info` as an AirPlay 2
    /// speaker, and exits at an AirPlay 2 session SETUP (*observed*, 5.1-dev).
    var speaksAirPlay1Only: Bool {
        let known = ReceiverDescription(airPlay: record, raop: raop)
        return (record != nil || raop != nil) && !known.supportsAirPlay2
    }

    /// Returns whether a user means this speaker: by its name in any case, the name of its pair, its ``id`` or ``key``, or
    /// one of its addresses, with or without the port.
    public func isCalled(_ word: String) -> Bool {
        let folded = word.lowercased()
        if [name, pair, id, key].contains(where: { $0?.lowercased() == folded }) { return true }
        return addresses.contains { "\($0)" == word || "\($0.address)" == word }
    }

    /// Returns the message that a word means several speakers, with the ids or addresses that tell them apart; `nil` if it
    /// means one speaker, or the halves of one stereo pair.
    ///
    /// - Parameter meant: The speakers that are called so.
    public static func ambiguity(of word: String, among meant: [SpeakerTarget]) -> String? {
        // Both halves of a pair have its id.
        guard Set(meant.map { $0.id ?? $0.key }).count > 1 else { return nil }
        let candidates = meant.map { target in
            let place = target.named.ownID ?? target.addresses.first.map { "\($0)" } ?? target.key
            return "'\(target.name)' (\(place))"
        }
        return
            "'\(word)' is ambiguous: \(candidates.joined(separator: " or ")); name one by its id or its address"
    }

    /// Compares the keys.
    public static func == (left: SpeakerTarget, right: SpeakerTarget) -> Bool { left.key == right.key }
    /// Hashes the parts that equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
