internal import CALSA
internal import Glibc
internal import MediaTime

/// An output that can be named.
public struct OutputDescription: Hashable, Sendable {
    /// What `--output` takes.
    public var specification: OutputSpecification
    /// For people, in one line.
    public var text: String
    /// In hertz, where it is known without opening the device.
    public var hertz: Int?
    /// Whether it is what its system plays to when nothing is said.
    public var isDefault: Bool

    public init(
        specification: OutputSpecification, text: String, hertz: Int? = nil, isDefault: Bool = false
    ) {
        self.specification = specification
        self.text = text
        self.hertz = hertz
        self.isDefault = isDefault
    }
}

/// What there is to play to.
public enum OutputListing {
    /// ALSA names devices by dozens; the rest of a longer list is left out.
    static let deviceLimit = 1024

    /// The devices that ALSA's configuration names and that play.
    public static func alsa() -> [OutputDescription] {
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
        // No direction means both.
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

    /// The sinks of the user's sound server, its default first. Waits for at most two seconds.
    ///
    /// - Throws: When no server answers.
    public static func pulse() throws(OutputError) -> [OutputDescription] {
        try PulseServer.sinks().map {
            OutputDescription(
                specification: OutputSpecification(.pulse(sink: $0.name)), text: $0.description,
                hertz: $0.hertz,
                isDefault: $0.isDefault)
        }
    }
}
