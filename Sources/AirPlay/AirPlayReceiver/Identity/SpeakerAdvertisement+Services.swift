import AirPlayMessages
import TuttiDiscovery

extension SpeakerAdvertisement {
    /// Creates the advertisement of a speaker with this identity.
    package init(name: String, identity: SpeakerIdentity) {
        self.init(
            name: name, deviceID: identity.deviceID, publicID: identity.publicID,
            publicSystemID: identity.publicSystemID, publicKey: identity.publicKey)
    }

    /// Returns the services of AirPlay 2 and AirPlay 1. Omits the latter for a speaker with a PIN, which
    /// senders of AirPlay 1 cannot give.
    package func services(port: UInt16) -> [AdvertisedService] {
        let second = AdvertisedService(kind: .airplay, port: port, txt: Self.txt(airPlayEntries))
        guard takesAirPlay1 else { return [second] }
        return [
            second,
            AdvertisedService(
                kind: .raop, namePrefix: raopNamePrefix, port: port, txt: Self.txt(raopEntries)),
        ]
    }

    /// The TXT records, for ``ServiceAdvertiser/update(txt:)``.
    package var txt: [ServiceKind: [TXTEntry]] {
        let second = [ServiceKind.airplay: Self.txt(airPlayEntries)]
        return takesAirPlay1 ? second.merging([.raop: Self.txt(raopEntries)]) { $1 } : second
    }

    private var takesAirPlay1: Bool { access != .pin && !offersPINPairing }

    /// A host name that belongs to this speaker only.
    package var hostLabel: String { "tutti-" + deviceID.filter { $0 != ":" } }

    private static func txt(_ entries: [(key: String, value: String)]) -> [TXTEntry] {
        entries.map { TXTEntry(key: $0.key, value: $0.value) }
    }
}
