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

    public var airPlay: AirPlayTXTRecord?
    public var raop: RAOPTXTRecord?
    public var info: ReceiverInfo?

    public init(airPlay: AirPlayTXTRecord? = nil, raop: RAOPTXTRecord? = nil, info: ReceiverInfo? = nil) {
        self.airPlay = airPlay
        self.raop = raop
        self.info = info
    }

    public var features: AirPlayFeatures { info?.features ?? airPlay?.features ?? raop?.features ?? [] }

    public var statusFlags: AirPlayStatusFlags {
        info?.statusFlags ?? airPlay?.statusFlags ?? raop?.statusFlags ?? []
    }

    public var model: String? { info?.model ?? airPlay?.model ?? raop?.model }

    public var deviceID: String? { (info?.deviceID ?? airPlay?.deviceID)?.lowercased() }

    /// Whether a sender is using it now, as far as it says.
    public var isInUse: Bool {
        statusFlags.contains(.sessionActive) || (family == .shairportSync && statusFlags.contains(.supportsRelay))
    }

    public var isAudioTarget: Bool { features.contains(.audio) }

    /// Whether the control connection can be paired and encrypted. A RAOP record alone is no AirPlay 2.
    public var supportsAirPlay2: Bool {
        let pairings: AirPlayFeatures = [
            .unifiedMediaControl, .homeKitPairing, .systemPairing, .transientPairing,
        ]
        return isAudioTarget && (airPlay != nil || info != nil) && !features.isDisjoint(with: pairings)
    }

    public var supportsPTP: Bool { features.contains(.ptp) }

    /// Whether the device says it takes buffered streams; ``quirks`` say if it plays them.
    public var supportsBufferedAudio: Bool {
        supportsAirPlay2 && features.contains([.bufferedAudio, .ptp])
    }

    public var supportsTransientPairing: Bool {
        !features.isDisjoint(with: [.transientPairing, .systemPairing])
    }

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

    public var family: DeviceFamily {
        DeviceFamily(model: model, manufacturer: info?.manufacturer ?? airPlay?.manufacturer)
    }

    public var quirks: DeviceQuirks { DeviceQuirks(family: family) }
}
