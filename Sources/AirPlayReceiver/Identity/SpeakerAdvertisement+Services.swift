public import AirPlayMessages
public import Discovery

extension SpeakerAdvertisement {
    /// What a speaker with this identity says of itself.
    public init(name: String, identity: SpeakerIdentity) {
        self.init(
            name: name, deviceID: identity.deviceID, publicID: identity.publicID,
            publicSystemID: identity.publicSystemID, publicKey: identity.publicKey)
    }

    /// Both services, on one port.
    public func services(port: UInt16) -> [AdvertisedService] {
        [
            AdvertisedService(kind: .airplay, port: port, txt: Self.txt(airPlayEntries)),
            AdvertisedService(
                kind: .raop, namePrefix: raopNamePrefix, port: port, txt: Self.txt(raopEntries)),
        ]
    }

    /// Both TXT records, for ``ServiceAdvertiser/update(txt:)``.
    public var txt: [ServiceKind: [TXTEntry]] {
        [.airplay: Self.txt(airPlayEntries), .raop: Self.txt(raopEntries)]
    }

    /// A name for the host that belongs to this speaker only.
    public var hostLabel: String { "tutti-" + deviceID.filter { $0 != ":" } }

    private static func txt(_ entries: [(key: String, value: String)]) -> [TXTEntry] {
        entries.map { TXTEntry(key: $0.key, value: $0.value) }
    }
}
