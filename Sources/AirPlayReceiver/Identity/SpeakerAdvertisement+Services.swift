public import AirPlayMessages
public import Discovery

extension SpeakerAdvertisement {
    /// Creates the advertisement of a speaker with this identity.
    public init(name: String, identity: SpeakerIdentity) {
        self.init(
            name: name, deviceID: identity.deviceID, publicID: identity.publicID,
            publicSystemID: identity.publicSystemID, publicKey: identity.publicKey)
    }

    /// Returns the AirPlay 2 service. Omits `_raop._tcp`, which announces AirPlay 1: this speaker does not
    /// receive that, and feature bit 30 tells AirPlay 2 senders that they need no such record.
    public func services(port: UInt16) -> [AdvertisedService] {
        [AdvertisedService(kind: .airplay, port: port, txt: Self.txt(airPlayEntries))]
    }

    /// The TXT record, for ``ServiceAdvertiser/update(txt:)``.
    public var txt: [ServiceKind: [TXTEntry]] { [.airplay: Self.txt(airPlayEntries)] }

    /// A host name that belongs to this speaker only.
    public var hostLabel: String { "tutti-" + deviceID.filter { $0 != ":" } }

    private static func txt(_ entries: [(key: String, value: String)]) -> [TXTEntry] {
        entries.map { TXTEntry(key: $0.key, value: $0.value) }
    }
}
