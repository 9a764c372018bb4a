/// An output in the syntax of the command line: `alsa[:DEVICE]`, `pulse[:SINK]`, `wave:FILE`, `null`.
///
/// A file may be followed by `@+40ppm`, the skew of its device clock, and by `@float` for 32 bit float
/// samples instead of 16 bit; `null` by the skew only. A file whose name ends in such an option needs both
/// options, as in `wave:a@float@int16@0ppm`.
public struct OutputSpecification: Hashable, Sendable {
    /// The kind of output.
    public enum Kind: Hashable, Sendable {
        /// An ALSA device, by its ALSA name.
        case alsa(device: String)
        /// A sink of the sound server; `nil` for the default sink.
        case pulse(sink: String?)
        /// A wave file; see `WaveOutput`.
        case wave(path: String, depth: WaveOutput.Depth)
        /// A silent output; see `NullOutput`.
        case null
    }

    /// The kind of output, with its name or path.
    public var kind: Kind
    /// Clock skew of a virtual device, in ppm of the nominal rate, positive if fast; within
    /// ±`VirtualDAC.ppmLimit`.
    public var ppm: Double

    /// Creates a specification.
    ///
    /// - Parameter ppm: Clock skew; ignored by ALSA and PulseAudio.
    public init(_ kind: Kind, ppm: Double = 0) {
        self.kind = kind
        self.ppm = ppm
    }

    /// Parses the command line's syntax.
    ///
    /// - Throws: An error that names the valid forms, if the text names no output.
    public init(parsing text: String) throws(OutputSpecificationError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? String(parts[1]) : nil
        if rest?.isEmpty == true { throw OutputSpecificationError("'\(text)' has nothing after its colon") }
        guard !text.utf8.contains(0) else {
            throw OutputSpecificationError("a name must not contain zero bytes")
        }
        switch parts[0] {
        case "alsa": self.init(.alsa(device: rest ?? "default"))
        case "pulse": self.init(.pulse(sink: rest))
        case "wave":
            guard let rest else { throw OutputSpecificationError("wave requires a file: wave:FILE") }
            try self.init(wave: rest)
        case let word where word == "null" || word.hasPrefix("null@"):
            guard rest == nil else { throw OutputSpecificationError("null takes no name") }
            let (name, options) = try OutputOptions.split(String(word))
            guard name == "null", options.depth == nil else {
                throw OutputSpecificationError("null accepts only a clock: null@+40ppm")
            }
            self.init(.null, ppm: options.ppm ?? 0)
        default:
            throw OutputSpecificationError(
                "'\(text)' is not an output; use alsa[:DEVICE], pulse[:SINK], wave:FILE or null")
        }
    }

    private init(wave text: String) throws(OutputSpecificationError) {
        let (path, options) = try OutputOptions.split(text)
        guard !path.isEmpty else { throw OutputSpecificationError("wave requires a file: wave:FILE") }
        self.init(.wave(path: path, depth: options.depth ?? .int16), ppm: options.ppm ?? 0)
    }
}

extension OutputSpecification: CustomStringConvertible {
    /// The text that ``init(parsing:)`` reads.
    public var description: String {
        let clock =
            ppm == 0 ? "" : "@\(ppm > 0 ? "+" : "")\(Int(exactly: ppm).map(String.init) ?? "\(ppm)")ppm"
        switch kind {
        case .alsa(let device): return "alsa:\(device)"
        case .pulse(let sink): return sink.map { "pulse:\($0)" } ?? "pulse"
        case .wave(let path, let depth):
            let looksLikeOption =
                path.hasSuffix("ppm") || path.hasSuffix("@float") || path.hasSuffix("@int16")
            guard looksLikeOption else { return "wave:\(path)\(depth == .float32 ? "@float" : "")\(clock)" }
            return "wave:\(path)@\(depth == .float32 ? "float" : "int16")\(clock.isEmpty ? "@0ppm" : clock)"
        case .null: return "null\(clock)"
        }
    }
}

/// A text that names no output, with a message for the command line.
public struct OutputSpecificationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message for the user.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// The options after a name: `@+40ppm` and `@float`, each once.
struct OutputOptions: Hashable {
    var ppm: Double?
    var depth: WaveOutput.Depth?

    /// Removes options from the end of a text; other text belongs to the name.
    static func split(_ text: String) throws(OutputSpecificationError) -> (
        name: String, options: OutputOptions
    ) {
        var name = text[...]
        var options = OutputOptions()
        while let at = name.lastIndex(of: "@") {
            let word = name[name.index(after: at)...]
            if options.depth == nil, let depth = depth(word) {
                options.depth = depth
            } else if options.ppm == nil, let ppm = ppm(word) {
                guard abs(ppm) <= VirtualDAC.ppmLimit else {
                    throw OutputSpecificationError(
                        "a clock can be skewed by at most \(Int(VirtualDAC.ppmLimit)) ppm, not \(word)")
                }
                options.ppm = ppm
            } else {
                break
            }
            name = name[..<at]
        }
        return (String(name), options)
    }

    private static func depth(_ word: Substring) -> WaveOutput.Depth? {
        switch word {
        case "float": .float32
        case "int16": .int16
        default: nil
        }
    }

    private static func ppm(_ word: Substring) -> Double? {
        guard word.hasSuffix("ppm"), let ppm = Double(word.dropLast(3)), ppm.isFinite else { return nil }
        return ppm
    }
}
