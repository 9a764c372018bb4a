import AirPlayMessages
import AirPlaySender
import TuttiCommandLineInterface
import TuttiSystemIO

/// The known description of a device, as text for users or as JSON: its `/info`, its mDNS records, or both.
struct InfoReport {
    /// `nil` for a device that has none: one of AirPlay 1.
    let info: ReceiverInfo?
    let address: SocketAddress
    /// The name by which it was found.
    var name: String?
    var airPlay: AirPlayTXTRecord?
    var raop: RAOPTXTRecord?

    private var receiver: ReceiverDescription {
        ReceiverDescription(airPlay: airPlay ?? info?.txtRecord, raop: raop, info: info)
    }

    private var shownName: String? { info?.name ?? name }

    var text: String {
        let model = receiver.model.map { "(\($0))" } ?? ""
        let title = [shownName ?? "(no name)", model, "at \(address)"]
        var sections = [
            [title.filter { !$0.isEmpty }.map(Printable.text).joined(separator: " ")],
            ["Can do:"] + abilities.map { "  \($0)" },
            ["Features \(receiver.features.text):"] + receiver.features.names.map { "  \($0)" },
            ["Status flags \(hexadecimal(receiver.statusFlags.rawValue)):"]
                + receiver.statusFlags.names.map { "  \($0)" },
        ]
        if info != nil { sections.append(["/info:"] + lines(of: fields).map { "  \($0)" }) }
        if raop != nil { sections.append(["AirPlay 1 record:"] + lines(of: record).map { "  \($0)" }) }
        return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    var json: JSONLine {
        JSONLine([
            "address": .string(address.description),
            "name": .optional(shownName),
            "model": .optional(receiver.model),
            "airplay2": .bool(receiver.supportsAirPlay2),
            "buffered": .bool(receiver.supportsBufferedAudio),
            "ptp": .bool(receiver.supportsPTP),
            "pairing": .string(pairing),
            "session": .object([
                JSONValue.Member(key: "stream", value: .string(choice.stream.rawValue)),
                JSONValue.Member(key: "clock", value: .string(choice.clock.rawValue)),
                JSONValue.Member(key: "reason", value: .string(choice.reason)),
            ]),
            "bufferedFormats": formats(info?.bufferedFormats),
            "realtimeFormats": formats(info?.realtimeFormats),
            "codecs": names(raop?.codecs, Self.codecs),
            "encryption": names(raop?.encryptionTypes, Self.encryptions),
            "features": bits(receiver.features.text, receiver.features.names),
            "statusFlags": bits(
                hexadecimal(receiver.statusFlags.rawValue), receiver.statusFlags.names),
            "info": info == nil ? .null : .object(fields),
            "record": raop == nil ? .null : .object(record),
        ])
    }

    private var abilities: [String] {
        [
            "AirPlay 2: \(receiver.supportsAirPlay2 ? "yes" : "no")",
            "clock: \(receiver.supportsPTP ? "PTP" : "NTP")",
            "pairing: \(pairing)",
            "session: \(Printable.text(choice.description))",
        ] + streams
    }

    private var streams: [String] {
        var lines: [String] = []
        if let info {
            lines.append(
                "buffered stream: " + list(receiver.supportsBufferedAudio ? info.bufferedFormats : nil))
            lines.append("realtime stream: " + list(info.realtimeFormats))
        }
        if let raop {
            let codecs = Self.named(raop.codecs, Self.codecs) ?? ["not announced"]
            let encryptions = Self.named(raop.encryptionTypes, Self.encryptions) ?? ["not announced"]
            lines.append("AirPlay 1 codecs: " + codecs.joined(separator: ", "))
            lines.append("AirPlay 1 encryption: " + encryptions.joined(separator: ", "))
        }
        return lines
    }

    /// The values of `cn` in an AirPlay 1 record.
    private static let codecs = [0: "PCM", 1: "ALAC", 2: "AAC", 3: "AAC-ELD"]
    /// The values of `et`.
    private static let encryptions = [
        0: "none", 1: "RSA", 3: "FairPlay", 4: "MFi-SAP", 5: "FairPlay SAP 2.5",
    ]

    private static func named(_ values: [Int]?, _ names: [Int: String]) -> [String]? {
        values.map { $0.map { names[$0] ?? "\($0)" } }
    }

    private func names(_ values: [Int]?, _ names: [Int: String]) -> JSONValue {
        Self.named(values, names).map { .array($0.map { .string($0) }) } ?? .null
    }

    /// The kind of session that `tutti play` would open, if nothing else is set for the speaker.
    private var choice: SessionChoice { SessionChoice(receiver, override: SessionChoice.Override()) }

    private var pairing: String {
        switch receiver.pairingNeed {
        case .notNeeded: "none"
        case .transient: "transient"
        case .pin: "PIN"
        case .password: "password"
        }
    }

    /// One line per key. JSON escapes control characters in the device's texts; ``Printable`` replaces any
    /// other unsafe character.
    private func lines(of fields: [JSONValue.Member]) -> [String] {
        let rows = fields.map { (Printable.text($0.key), Printable.text(JSONLine($0.value).text)) }
        let width = rows.map { DisplayWidth.of($0.0) }.max() ?? 0
        return rows.map { DisplayWidth.pad($0, to: width) + "  " + $1 }
    }

    /// The device's fields by key, with the TXT record decoded into its own keys.
    private var fields: [JSONValue.Member] {
        (info?.fields ?? [:]).sorted { $0.key < $1.key }.map { key, value in
            guard key == "txtAirPlay", let record = info?.txtRecord else {
                return JSONValue.Member(key: key, value: JSONValue(value))
            }
            return JSONValue.Member(key: key, value: .object(Self.members(record.fields)))
        }
    }

    private var record: [JSONValue.Member] { raop.map { Self.members($0.fields) } ?? [] }

    private static func members(_ fields: TXTFields) -> [JSONValue.Member] {
        fields.values.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value)) }
    }

    private func list(_ formats: AudioFormatSet?) -> String {
        formats.map { $0.names.joined(separator: ", ") } ?? "none announced"
    }

    private func formats(_ formats: AudioFormatSet?) -> JSONValue {
        formats.map { .array($0.names.map { .string($0) }) } ?? .null
    }

    private func bits(_ text: String, _ names: [String]) -> JSONValue {
        .members(["text": .string(text), "names": .array(names.map { .string($0) })])
    }

    private func hexadecimal(_ value: UInt64) -> String { "0x" + String(value, radix: 16, uppercase: true) }
}
