/// Which output is wanted, as the command line spells it:
/// `alsa[:DEVICE]`, `pulse[:SINK]`, `wave:FILE`, `null`.
///
/// A file may be followed by `@+40ppm`, how far its device clock is off, and by `@float` for 32 bit float samples
/// instead of 16 bit; `null` by the first. A file whose own name ends like this needs
/// both, as in `wave:a@float@int16@0ppm`.
public struct OutputSpecification: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A device that ALSA knows.
        case alsa(device: String)
        /// A sink of the sound server; `nil` for its default.
        case pulse(sink: String?)
        case wave(path: String, depth: WaveOutput.Depth)
        case null
    }

    public var kind: Kind
    /// How much faster than nominal a virtual device's clock runs, in millionths; ±``VirtualDAC/ppmLimit``.
    public var ppm: Double

    public init(_ kind: Kind, ppm: Double = 0) {
        self.kind = kind
        self.ppm = ppm
    }

    /// - Throws: When it names no output; the error says what can be named.
    public init(parsing text: String) throws(OutputSpecificationError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? String(parts[1]) : nil
        if rest?.isEmpty == true { throw OutputSpecificationError("'\(text)' has nothing behind its colon") }
        guard !text.utf8.contains(0) else { throw OutputSpecificationError("a name has no zero bytes") }
        switch parts[0] {
        case "alsa": self.init(.alsa(device: rest ?? "default"))
        case "pulse": self.init(.pulse(sink: rest))
        case "wave":
            guard let rest else { throw OutputSpecificationError("wave needs a file: wave:FILE") }
            try self.init(wave: rest)
        case let word where word == "null" || word.hasPrefix("null@"):
            guard rest == nil else { throw OutputSpecificationError("null takes no name") }
            let (name, options) = try OutputOptions.split(String(word))
            guard name == "null", options.depth == nil else {
                throw OutputSpecificationError("null takes only a clock: null@+40ppm")
            }
            self.init(.null, ppm: options.ppm ?? 0)
        default:
            throw OutputSpecificationError(
                "'\(text)' is no output; say alsa[:DEVICE], pulse[:SINK], wave:FILE or null")
        }
    }

    private init(wave text: String) throws(OutputSpecificationError) {
        let (path, options) = try OutputOptions.split(text)
        guard !path.isEmpty else { throw OutputSpecificationError("wave needs a file: wave:FILE") }
        self.init(.wave(path: path, depth: options.depth ?? .int16), ppm: options.ppm ?? 0)
    }
}

extension OutputSpecification: CustomStringConvertible {
    /// As ``init(parsing:)`` reads it.
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

/// Text that names no output, in words for a command line.
public struct OutputSpecificationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

/// What may stand behind a name: `@+40ppm` and `@float`, each once.
struct OutputOptions: Hashable {
    var ppm: Double?
    var depth: WaveOutput.Depth?

    /// Takes options off the end of a text; what is none of them belongs to the name.
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
                        "a clock is off by at most \(Int(VirtualDAC.ppmLimit)) ppm, not \(word)")
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
