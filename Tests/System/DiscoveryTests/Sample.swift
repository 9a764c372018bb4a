import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiDiscovery

/// Services for the tests.
enum Sample {
    static func address(_ last: Int) -> IPAddress {
        IPAddress(10, 77, 0, UInt8(truncatingIfNeeded: last))
    }

    static func airplay(
        _ name: String, device: String? = "02:00:00:aa:00:01", address last: Int = 11, port: UInt16 = 7000,
        more: [TXTEntry] = []
    ) throws -> DiscoveredService {
        let id = device.map { [TXTEntry(key: "deviceid", value: $0)] } ?? []
        return try service(
            .airplay, name, last, port, id + [TXTEntry(key: "model", value: "Model,1")] + more)
    }

    static func raop(
        _ name: String, device: String = "020000AA0001", address last: Int = 11, port: UInt16 = 7000,
        more: [TXTEntry] = []
    ) throws -> DiscoveredService {
        try service(.raop, "\(device)@\(name)", last, port, [TXTEntry(key: "am", value: "Model,0")] + more)
    }

    private static func service(
        _ kind: ServiceKind, _ name: String, _ last: Int, _ port: UInt16, _ txt: [TXTEntry]
    ) throws -> DiscoveredService {
        let service = DiscoveredService(
            id: ServiceID(kind: kind, name: name), host: "host-\(last).local", addresses: [address(last)],
            port: port, txt: txt)
        guard let service else { throw SampleError.notAService }
        return service
    }

    /// The services of the recorded session, sorted by name.
    static func recorded() throws -> [DiscoveredService] {
        try Vectors.dictionary("airplay/mdns-txt.json").sorted { $0.key < $1.key }.map { key, value in
            guard let record = value as? [String: Any], let type = record["type"] as? String,
                let kind = ServiceKind(rawValue: String(type.dropLast(".local.".count))),
                let port = record["port"] as? Int, let texts = record["addresses"] as? [String],
                let raw = record["txt_raw_hex"] as? String
            else { throw SampleError.notAService }
            let service = DiscoveredService(
                id: ServiceID(kind: kind, name: String(key.dropLast(type.count + 1))),
                host: record["server"] as? String ?? "", addresses: texts.compactMap { IPAddress($0) },
                port: UInt16(port), txt: strings(Vectors.bytes(hex: raw)).compactMap { TXTEntry(parsing: $0) }
            )
            guard let service else { throw SampleError.notAService }
            return service
        }
    }

    /// The strings of a TXT record in its form on the wire: a length byte before each.
    static func strings(_ record: [UInt8]) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        var rest = record[...]
        while let length = rest.popFirst() {
            strings.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        return strings
    }

    /// Returns what happened to the list, in words.
    static func words(_ events: [SpeakerDirectoryEvent]) -> [String] {
        events.map { event in
            switch event {
            case .appeared(let speaker): "+ \(speaker.name)"
            case .updated(let speaker): "= \(speaker.name)"
            case .vanished(let speaker): "- \(speaker.name)"
            }
        }
    }
}

enum SampleError: Error { case notAService }
