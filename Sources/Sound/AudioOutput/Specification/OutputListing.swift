import CTuttiALSA
import Glibc
import TuttiMediaTime

/// An output in a list.
package struct OutputDescription: Hashable, Sendable {
    /// The value for `--output`.
    package var specification: OutputSpecification
    /// One line for the user.
    package var text: String
    /// The sample rate in hertz, if known without opening the device.
    package var hertz: Int?
    /// Whether the output is its system's default.
    package var isDefault: Bool

    /// Creates a list entry.
    package init(
        specification: OutputSpecification, text: String, hertz: Int? = nil, isDefault: Bool = false
    ) {
        self.specification = specification
        self.text = text
        self.hertz = hertz
        self.isDefault = isDefault
    }
}

/// Lists of the available outputs.
package enum OutputListing {
    /// Maximum number of ALSA devices; a longer list is cut.
    static let deviceLimit = 1024

    /// Returns the playback devices in ALSA's configuration; empty if ALSA returns no list.
    package static func alsa() -> [OutputDescription] {
        shim_silence_errors()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var found: [OutputDescription] = []
        var index = 0
        while let hint = hints[index], found.count < deviceLimit {
            index += 1
            if let device = describe(hint) { found.append(device) }
        }
        return found
    }

    private static func describe(_ hint: UnsafeMutableRawPointer) -> OutputDescription? {
        // No direction means both directions.
        guard let name = text("NAME", of: hint), text("IOID", of: hint) != "Input" else { return nil }
        let lines = (text("DESC", of: hint) ?? "").split(separator: "\n").joined(separator: ", ")
        return OutputDescription(
            specification: OutputSpecification(.alsa(device: name)), text: lines, hertz: nil,
            isDefault: name == "default")
    }

    private static func text(_ key: String, of hint: UnsafeMutableRawPointer) -> String? {
        guard let text = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Returns the sinks of the user's sound server, the default sink first. Blocks for two seconds at most.
    ///
    /// - Throws: An error if no server responds.
    package static func pulse() throws(OutputError) -> [OutputDescription] {
        try PulseServer.sinks().map {
            OutputDescription(
                specification: OutputSpecification(.pulse(sink: $0.name)), text: $0.description,
                hertz: $0.hertz,
                isDefault: $0.isDefault)
        }
    }
}
