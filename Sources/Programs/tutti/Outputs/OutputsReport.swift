import TuttiAudioOutput
import TuttiCommandLineInterface

/// The outputs of this machine, as a table or as JSON.
struct OutputsReport {
    let outputs: [OutputDescription]

    private static let header = ["OUTPUT", "DEFAULT", "RATE", "DESCRIPTION"]

    /// The outputs that every machine has: spelling and meaning.
    private static let virtual = [
        (
            "wave:FILE",
            "writes the sound to a wave file; @+40ppm makes its clock wrong, @float keeps floats"
        ),
        ("null", "discards the sound in real time"),
    ]

    var table: [String] {
        var table = TextTable(header: Self.header)
        for output in outputs {
            table.append([
                output.specification.description, output.isDefault ? "yes" : "-",
                output.hertz.map(String.init) ?? "-", output.text,
            ])
        }
        for (name, text) in Self.virtual { table.append([name, "-", "any", text]) }
        return table.lines()
    }

    var json: [String] {
        let found = outputs.map {
            Self.line(
                $0.specification.description, kind: Self.kind(of: $0), text: $0.text, hertz: $0.hertz,
                isDefault: $0.isDefault)
        }
        return found
            + Self.virtual.map { name, text in
                Self.line(
                    name, kind: name.hasPrefix("wave") ? "wave" : "null", text: text, hertz: nil,
                    isDefault: false)
            }
    }

    private static func line(
        _ name: String, kind: String, text: String, hertz: Int?, isDefault: Bool
    ) -> String {
        JSONLine([
            "output": .string(name), "kind": .string(kind), "description": .string(text),
            "sampleRate": hertz.map { .integer($0) } ?? .null, "default": .bool(isDefault),
        ]).text
    }

    private static func kind(of output: OutputDescription) -> String {
        switch output.specification.kind {
        case .alsa: "alsa"
        case .pulse: "pulse"
        case .wave: "wave"
        case .null: "null"
        }
    }
}
