public import AirPlayMessages
public import Discovery

extension SpeakerAdvertisement {
    /// What a speaker with this identity says of itself.
    public init(name: String, identity: SpeakerIdentity) {
        self.init(
            name: name, deviceID: identity.deviceID, publicID: identity.publicID,
            publicSystemID: identity.publicSystemID, publicKey: identity.publicKey)
    }

    /// The service of AirPlay 2. Programs that look for `_raop._tcp` mean AirPlay 1, which is not received; feature
    /// bit 30 tells senders of AirPlay 2 that they need no such record.
    public func services(port: UInt16) -> [AdvertisedService] {
        [AdvertisedService(kind: .airplay, port: port, txt: Self.txt(airPlayEntries))]
    }

    /// The TXT record, for ``ServiceAdvertiser/update(txt:)``.
    public var txt: [ServiceKind: [TXTEntry]] { [.airplay: Self.txt(airPlayEntries)] }

    /// A name for the host that belongs to this speaker only.
    public var hostLabel: String { "tutti-" + deviceID.filter { $0 != ":" } }

    private static func txt(_ entries: [(key: String, value: String)]) -> [TXTEntry] {
        entries.map { TXTEntry(key: $0.key, value: $0.value) }
    }
}
