/// What a receiver can do, from all that is known of it: TXT records and `/info`.
///
/// `/info` wins over TXT, because it is fresher and comes from the device itself.
public struct ReceiverDescription: Hashable, Sendable {
    /// What has to happen before a session.
    public enum PairingNeed: Hashable, Sendable {
        /// The device speaks no AirPlay 2 pairing.
        case notNeeded
        /// Transient pair-setup with the well-known secret.
        case transient
        /// Pair-setup with the PIN that the device shows, once; then pair-verify.
        case pin
        /// Transient pair-setup with the user's password as the secret.
        case password
    }

    /// The record of `_airplay._tcp`, when there is one.
    public var airPlay: AirPlayTXTRecord?
    /// The record of `_raop._tcp`, when there is one.
    public var raop: RAOPTXTRecord?
    /// The latest `/info`, when it has been asked for.
    public var info: ReceiverInfo?

    public init(airPlay: AirPlayTXTRecord? = nil, raop: RAOPTXTRecord? = nil, info: ReceiverInfo? = nil) {
        self.airPlay = airPlay
        self.raop = raop
        self.info = info
    }

    /// What the device says it can do; empty when nothing is known.
    public var features: AirPlayFeatures { info?.features ?? airPlay?.features ?? raop?.features ?? [] }

    /// What state the device says it is in; empty when nothing is known.
    public var statusFlags: AirPlayStatusFlags {
        info?.statusFlags ?? airPlay?.statusFlags ?? raop?.statusFlags ?? []
    }

    /// The model as the device spells it.
    public var model: String? { info?.model ?? airPlay?.model ?? raop?.model }

    /// A MAC address in lower case; the same in all sources.
    public var deviceID: String? { (info?.deviceID ?? airPlay?.deviceID)?.lowercased() }

    /// Whether a sender is using it now, as far as it says.
    public var isInUse: Bool {
        statusFlags.contains(.sessionActive)
            || (family == .shairportSync && statusFlags.contains(.supportsRelay))
    }

    public var isAudioTarget: Bool { features.contains(.audio) }

    /// Whether the control connection can be paired and encrypted. A RAOP record alone is no AirPlay 2.
    public var supportsAirPlay2: Bool {
        let pairings: AirPlayFeatures = [
            .unifiedMediaControl, .homeKitPairing, .systemPairing, .transientPairing,
        ]
        return isAudioTarget && (airPlay != nil || info != nil) && !features.isDisjoint(with: pairings)
    }

    /// Feature bit 41: the clock is PTP.
    public var supportsPTP: Bool { features.contains(.ptp) }

    /// Whether the device says it takes buffered streams; ``quirks`` say if it plays them.
    public var supportsBufferedAudio: Bool {
        supportsAirPlay2 && features.contains([.bufferedAudio, .ptp])
    }

    /// Feature bit 48 or 43: pairing without a PIN and without stored keys.
    public var supportsTransientPairing: Bool {
        !features.isDisjoint(with: [.transientPairing, .systemPairing])
    }

    /// Whether any source says so.
    public var requiresPassword: Bool {
        statusFlags.contains(.passwordRequired) || airPlay?.requiresPassword == true
            || raop?.requiresPassword == true
    }

    /// For a device that we have no stored credentials of.
    public var pairingNeed: PairingNeed {
        guard supportsAirPlay2 else { return .notNeeded }
        if !statusFlags.isDisjoint(with: [.pinRequired, .oneTimePairingRequired]) { return .pin }
        if requiresPassword { return .password }
        if supportsTransientPairing { return .transient }
        return features.contains(.homeKitPairing) ? .pin : .notNeeded
    }

    /// Guessed from model and manufacturer.
    public var family: DeviceFamily {
        DeviceFamily(model: model, manufacturer: info?.manufacturer ?? airPlay?.manufacturer)
    }

    /// What a sender does differently for this family.
    public var quirks: DeviceQuirks { DeviceQuirks(family: family) }
}
