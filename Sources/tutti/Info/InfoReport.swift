import AirPlayMessages
import AirPlaySender
import CommandLineInterface
import SystemIO

/// A device's `/info`, as text for users or as JSON.
struct InfoReport {
    let info: ReceiverInfo
    let address: SocketAddress

    private var receiver: ReceiverDescription { ReceiverDescription(airPlay: info.txtRecord, info: info) }

    var text: String {
        let title = [info.name ?? "(no name)", info.model.map { "(\($0))" } ?? "", "at \(address)"]
        let sections = [
            [title.filter { !$0.isEmpty }.map(Printable.text).joined(separator: " ")],
            ["Can do:"] + abilities.map { "  \($0)" },
            ["Features \(receiver.features.text):"] + receiver.features.names.map { "  \($0)" },
            ["Status flags \(hexadecimal(receiver.statusFlags.rawValue)):"]
                + receiver.statusFlags.names.map { "  \($0)" },
            ["/info:"] + fieldLines.map { "  \($0)" },
        ]
        return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    var json: JSONLine {
        JSONLine([
            "address": .string(address.description),
            "name": .optional(info.name),
            "model": .optional(info.model),
            "airplay2": .bool(receiver.supportsAirPlay2),
            "buffered": .bool(receiver.supportsBufferedAudio),
            "ptp": .bool(receiver.supportsPTP),
            "pairing": .string(pairing),
            "session": .object([
                JSONValue.Member(key: "stream", value: .string(choice.stream.rawValue)),
                JSONValue.Member(key: "clock", value: .string(choice.clock.rawValue)),
                JSONValue.Member(key: "reason", value: .string(choice.reason)),
            ]),
            "bufferedFormats": formats(info.bufferedFormats),
            "realtimeFormats": formats(info.realtimeFormats),
            "features": bits(receiver.features.text, receiver.features.names),
            "statusFlags": bits(
                hexadecimal(receiver.statusFlags.rawValue), receiver.statusFlags.names),
            "info": .object(fields),
        ])
    }

    private var abilities: [String] {
        [
            "AirPlay 2: \(receiver.supportsAirPlay2 ? "yes" : "no")",
            "clock: \(receiver.supportsPTP ? "PTP" : "NTP")",
            "pairing: \(pairing)",
            "session: \(Printable.text(choice.description))",
            "buffered stream: " + list(receiver.supportsBufferedAudio ? info.bufferedFormats : nil),
            "realtime stream: " + list(info.realtimeFormats),
        ]
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
    private var fieldLines: [String] {
        let rows = fields.map { (Printable.text($0.key), Printable.text(JSONLine($0.value).text)) }
        let width = rows.map { DisplayWidth.of($0.0) }.max() ?? 0
        return rows.map { DisplayWidth.pad($0, to: width) + "  " + $1 }
    }

    /// The device's fields by key, with the TXT record decoded into its own keys.
    private var fields: [JSONValue.Member] {
        info.fields.sorted { $0.key < $1.key }.map { key, value in
            guard key == "txtAirPlay", let record = info.txtRecord else {
                return JSONValue.Member(key: key, value: JSONValue(value))
            }
            let pairs = record.fields.values.sorted { $0.key < $1.key }
            return JSONValue.Member(
                key: key, value: .object(pairs.map { .init(key: $0.key, value: .string($0.value)) }))
        }
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
