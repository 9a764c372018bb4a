import TuttiCommandLineInterface
import TuttiDiscovery
import TuttiSystemIO

/// A description of one speaker as table cells, a line or JSON.
struct SpeakerReport {
    let speaker: DiscoveredSpeaker

    static let header = ["NAME", "MODEL", "ADDRESS", "AIRPLAY", "BUFFERED", "PTP", "NEEDS"]

    var cells: [String] {
        let traits = speaker.traits
        return [
            speaker.name, speaker.halves.isEmpty ? speaker.model : speaker.model + " pair", endpoint,
            generations.isEmpty ? "-" : generations,
            Self.mark(traits.isBuffered),
            Self.mark(traits.usesPTP), needs.isEmpty ? "-" : needs.joined(separator: ", "),
        ]
    }

    /// A line such as `Kitchen  ShairportSync  10.77.0.11:7000  AirPlay 2, buffered, PTP`.
    var line: String {
        let traits = speaker.traits
        let words = [
            generations.isEmpty ? "no AirPlay sound" : "AirPlay " + generations,
            speaker.halves.isEmpty ? nil : "stereo pair",
            traits.isBuffered ? "buffered" : nil, traits.usesPTP ? "PTP" : nil,
            needs.isEmpty ? nil : "needs " + needs.joined(separator: " and "),
        ]
        let described = words.compactMap { $0 }.joined(separator: ", ")
        return [speaker.name, speaker.model, endpoint, described].filter { !$0.isEmpty }
            .map(Printable.text).joined(separator: "  ")
    }

    func json(event: String) -> JSONLine {
        let traits = speaker.traits
        return JSONLine([
            "event": .string(event),
            "id": .string(speaker.id.description),
            "name": .string(speaker.name),
            "model": .string(speaker.model),
            "host": .string(speaker.host),
            "addresses": .array(speaker.addresses.map { .string($0.description) }),
            "port": .integer(Int(speaker.port)),
            "airplay1": .bool(traits.speaksAirPlay1),
            "airplay2": .bool(traits.speaksAirPlay2),
            "buffered": .bool(traits.isBuffered),
            "ptp": .bool(traits.usesPTP),
            "pin": .bool(traits.needsPIN),
            "sameHome": .bool(traits.needsHome),
            "password": .bool(traits.needsPassword),
            "airplay": speaker.airplay.map { Self.json($0) } ?? .null,
            "raop": speaker.raop.map { Self.json($0) } ?? .null,
            "halves": speaker.halves.isEmpty ? nil : .array(speaker.halves.map(Self.json)),
        ])
    }

    private var endpoint: String {
        speaker.endpoints.first?.description ?? ""
    }

    private var generations: String {
        [speaker.traits.speaksAirPlay1 ? "1" : nil, speaker.traits.speaksAirPlay2 ? "2" : nil]
            .compactMap { $0 }.joined(separator: "+")
    }

    /// The requirements for the first connection.
    private var needs: [String] {
        let traits = speaker.traits
        return [
            traits.needsPIN ? "PIN" : nil, traits.needsHome ? "same home" : nil,
            traits.needsPassword ? "password" : nil,
        ].compactMap { $0 }
    }

    private static func mark(_ claim: Bool) -> String { claim ? "yes" : "-" }

    private static func json(_ half: DiscoveredSpeaker) -> JSONValue {
        .members(["id": .string(half.id.description), "name": .string(half.name)])
    }

    private static func json(_ service: DiscoveredService) -> JSONValue {
        .members([
            "name": .string(service.name),
            "port": .integer(Int(service.port)),
            "txt": .object(service.txt.map { JSONValue.Member(key: $0.key, value: .string($0.value)) }),
        ])
    }
}
