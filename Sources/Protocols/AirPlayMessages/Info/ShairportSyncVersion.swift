/// The differences between versions of shairport-sync, which is found in many devices at any age.
extension ReceiverDescription {
    /// The major version of shairport-sync; `nil` for other receivers, and where nothing tells it.
    ///
    /// *Observed*: `fv` is the version, such as `4.3.7`. In AirPlay 2 the model is `Shairport Sync` in version 4 and
    /// `ShairportSync` in version 5; the model of AirPlay 1 does not tell.
    package var shairportSyncVersion: Int? {
        guard family == .shairportSync else { return nil }
        let told = [airPlay?.firmwareVersion, info?.txtRecord?.firmwareVersion, raop?.firmwareVersion]
        if let version = told.lazy.compactMap({ Self.majorVersion($0) }).first { return version }
        return (info?.model ?? airPlay?.model).map { $0.contains(" ") ? 4 : 5 }
    }

    /// Returns the number in front of the first dot; `nil` for a text that does not look like a version.
    private static func majorVersion(_ text: String?) -> Int? {
        guard let text, let dot = text.firstIndex(of: "."), let version = Int(text[..<dot]),
            (1..<100).contains(version)
        else { return nil }
        return version
    }

    /// Whether nothing is known of the receiver: it was given by its address.
    private var isUnknown: Bool { airPlay == nil && raop == nil && info == nil }

    /// The sender's adaptations to this device: those of its family and version.
    package var quirks: DeviceQuirks {
        var quirks = DeviceQuirks(family: family)
        // A speaker of AirPlay 1 that was given by its address may be one of these.
        guard family == .shairportSync || isUnknown else { return quirks }
        let version = shairportSyncVersion
        quirks.realtimeFlushTime = DeviceQuirks(family: .shairportSync).realtimeFlushTime
        if version ?? 4 < 5 { quirks.realtimeSilentPackets = Self.mutedPackets + 1 }
        if let version, version < 5 { (quirks.playsBufferedALAC, quirks.playsALAC48000x24) = (false, false) }
        return quirks
    }

    /// The packets that shairport-sync 3.3.8 and 4.3.7 replace with silence after each flush and at the beginning
    /// (*observed*). One more, because they may drop the first one as older than the flush.
    private static let mutedPackets = 9
}
