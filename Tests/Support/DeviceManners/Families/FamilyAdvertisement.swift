import AirPlayMessages
import AirPlayReceiver
import TuttiDiscovery

/// The advertisement of a stand-in: our own speaker's, with the device's values.
package struct FamilyAdvertisement: Sendable {
    private let ours: SpeakerAdvertisement
    private let family: Family

    package init(_ family: Family, name: String, identity: SpeakerIdentity) {
        self.family = family
        var ours = SpeakerAdvertisement(name: name, identity: identity)
        (ours.model, ours.manufacturer) = (family.model, family.manufacturer)
        self.ours = ours
    }

    package var hostLabel: String { ours.hostLabel }

    package func services(port: UInt16) -> [AdvertisedService] {
        let second = AdvertisedService(kind: .airplay, port: port, txt: airPlay)
        let first = AdvertisedService(
            kind: .raop, namePrefix: ours.raopNamePrefix, port: port, txt: entries(ours.raopEntries, raop))
        return switch family.services {
        case .airPlay2: [second]
        case .both: [second, first]
        case .airPlay1: [first]
        }
    }

    /// The TXT record as data, for `/info`; empty for a device of AirPlay 1.
    package var airPlayData: [UInt8] {
        guard family.services != .airPlay1 else { return [] }
        return airPlay.flatMap { entry in
            let string = "\(entry.key)=\(entry.value)".utf8.prefix(255)
            return [UInt8(string.count)] + string
        }
    }

    private var airPlay: [TXTEntry] {
        let values = [
            "features": family.features.text, "fex": family.features.base64Text,
            "flags": family.flags.text, "srcvers": family.sourceVersion,
        ]
        return entries(ours.airPlayEntries, values.merging(family.txt) { $1 })
    }

    private var raop: [String: String] {
        ["ft": family.features.text, "sf": family.flags.text, "vs": family.sourceVersion]
    }

    /// Returns our entries with these values, and those that we do not have after them.
    private func entries(
        _ ours: [(key: String, value: String)], _ values: [String: String]
    ) -> [TXTEntry] {
        let known = ours.map { TXTEntry(key: $0.key, value: values[$0.key] ?? $0.value) }
        let keys = Set(ours.map(\.key))
        let rest = values.filter { !keys.contains($0.key) }.sorted { $0.key < $1.key }
        return known + rest.map { TXTEntry(key: $0.key, value: $0.value) }
    }
}
