/// The capabilities of a receiver, from all known sources: TXT records and `/info`.
///
/// `/info` takes precedence over TXT, because it is fresher and comes from the device itself.
public struct ReceiverDescription: Hashable, Sendable {
    /// The pairing required before a session.
    public enum PairingNeed: Hashable, Sendable {
        /// The device accepts everybody.
        case notNeeded
        /// Transient pair-setup with the well-known secret.
        case transient
        /// Pairing once, with the PIN that the device shows; then pair-verify. See ``ReceiverDescription/pairsAsBeforeHomeKit``.
        case pin
        /// Transient pair-setup with the user's password as the secret.
        case password
    }

    /// The record of `_airplay._tcp`, if there is one.
    package var airPlay: AirPlayTXTRecord?
    /// The record of `_raop._tcp`, if there is one.
    package var raop: RAOPTXTRecord?
    /// The latest `/info`, if it has been requested.
    package var info: ReceiverInfo?

    /// Creates a description from the known sources.
    package init(airPlay: AirPlayTXTRecord? = nil, raop: RAOPTXTRecord? = nil, info: ReceiverInfo? = nil) {
        self.airPlay = airPlay
        self.raop = raop
        self.info = info
    }

    /// The announced capabilities; empty if unknown.
    package var features: AirPlayFeatures { info?.features ?? airPlay?.features ?? raop?.features ?? [] }

    /// The announced state; empty if unknown.
    package var statusFlags: AirPlayStatusFlags {
        info?.statusFlags ?? airPlay?.statusFlags ?? raop?.statusFlags ?? []
    }

    /// The model as the device spells it.
    public var model: String? { info?.model ?? airPlay?.model ?? raop?.model }

    /// The MAC address in lower case, the same in all sources.
    public var deviceID: String? { (info?.deviceID ?? airPlay?.deviceID)?.lowercased() }

    /// Whether the device announces that a sender is using it.
    public var isInUse: Bool {
        statusFlags.contains(.sessionActive)
            || (family == .shairportSync && statusFlags.contains(.supportsRelay))
    }

    /// Whether the device announces that it plays audio.
    public var isAudioTarget: Bool { features.contains(.audio) }

    /// Whether the control connection can be paired and encrypted. A RAOP record alone does not mean AirPlay
    /// 2.
    public var supportsAirPlay2: Bool {
        isAudioTarget && (airPlay != nil || info != nil) && !features.isDisjoint(with: Self.pairings)
    }

    /// Whether the AirPlay 1 record names capabilities of AirPlay 2, whose own record is not known yet.
    public var lacksAirPlay2Record: Bool {
        airPlay == nil && info == nil && !features.isDisjoint(with: Self.pairings)
    }

    /// The features of devices whose control connection can be paired and encrypted.
    private static let pairings: AirPlayFeatures = [
        .unifiedMediaControl, .homeKitPairing, .systemPairing, .transientPairing,
    ]

    /// Whether the device uses a PTP clock: feature bit 41.
    public var supportsPTP: Bool { features.contains(.ptp) }

    /// Whether the device announces buffered streams; its quirks say whether it plays them.
    public var supportsBufferedAudio: Bool {
        supportsAirPlay2 && features.contains([.bufferedAudio, .ptp])
    }

    /// Whether pairing works without a PIN and without stored keys: feature bit 48 or 43.
    public var supportsTransientPairing: Bool {
        !features.isDisjoint(with: [.transientPairing, .systemPairing])
    }

    /// Whether any source announces a password.
    public var requiresPassword: Bool {
        statusFlags.contains(.passwordRequired) || airPlay?.requiresPassword == true
            || raop?.requiresPassword == true
    }

    /// The pairing needed with a device for which no credentials are stored.
    public var pairingNeed: PairingNeed {
        let showsPIN = !statusFlags.isDisjoint(with: [.pinRequired, .oneTimePairingRequired])
        guard supportsAirPlay2 else { return showsPIN && pairsAsBeforeHomeKit ? .pin : .notNeeded }
        if showsPIN { return .pin }
        if requiresPassword { return .password }
        if supportsTransientPairing { return .transient }
        return features.contains(.homeKitPairing) ? .pin : .notNeeded
    }

    /// Whether the device pairs as Apple TVs before HomeKit do, up to tvOS 10, which play by AirPlay 1.
    public var pairsAsBeforeHomeKit: Bool {
        features.contains(.legacyPairing) && features.isDisjoint(with: Self.pairings)
    }

    /// The family, guessed from model and manufacturer.
    package var family: DeviceFamily {
        DeviceFamily(model: model, manufacturer: info?.manufacturer ?? airPlay?.manufacturer)
    }

    /// Whether the device never follows a sender's clock, and plays along its own alone.
    ///
    /// *Reported* of a HomePod with OS 27 that is neither half of a stereo pair nor in a group with other speakers:
    /// it keeps announcing its own clock, and is silent on any other. It leads its own group, and names
    /// neither a parent group nor a partner. A HomePod that announces no system version counts as one with OS 27,
    /// because those with an older system also play along their own clock.
    public var insistsOnItsClock: Bool {
        // The record in `/info` may have a part of the keys only.
        let told = info?.txtRecord.flatMap { $0.groupID == nil ? nil : $0 }
        guard let leastOS = quirks.insistsOnItsClockSinceOS, let record = told ?? airPlay,
            record.isGroupLeader == true, record.groupID != nil, record.parentGroupID == nil,
            record.tightSyncID == nil
        else { return false }
        let version = record.osVersion ?? raop?.osVersion
        guard let major = version?.split(separator: ".").first.flatMap({ Int($0) }) else { return true }
        return major >= leastOS
    }
}
