/// How loud a receiver plays, in decibels: −30 ... 0, or −144 for mute.
///
/// The curve behind the number is the receiver's own. Text form: `volume: -15.000000` and CR LF.
public struct Volume: Hashable, Comparable, Sendable {
    /// −30 ... 0, or −144 for mute.
    public let decibels: Double

    public static let mute = Volume(checked: -144)
    public static let full = Volume(checked: 0)
    /// −30 dB, 0 %. Most senders say mute instead.
    public static let quietest = Volume(checked: -30)

    private init(checked decibels: Double) { self.decibels = decibels }

    /// Values above 0 become 0; values below −30 become −30, below −100 mute. No number is mute.
    public init(decibels: Double) {
        guard decibels > -100 else {
            self = .mute
            return
        }
        self.decibels = Swift.max(-30, Swift.min(0, decibels))
    }

    /// 0 % is mute, everything else a straight line: dB = −30 + 0.3 · percent.
    public init(percent: Double) {
        self = percent > 0 ? Volume(decibels: -30 + 0.3 * Swift.min(percent, 100)) : .mute
    }

    public var isMuted: Bool { self == .mute }

    /// 0 ... 100.
    public var percent: Double { isMuted ? 0 : (decibels + 30) / 0.3 }

    public static func < (left: Volume, right: Volume) -> Bool { left.decibels < right.decibels }

    public static let contentType = TextParameters.contentType
    /// Body of GET_PARAMETER that asks for the volume.
    public static let query = Array("volume\r\n".utf8)

    /// Reads a body with a line `volume: …`.
    public init(body: [UInt8]) throws(MessageError) {
        guard let text = TextParameters.value(of: "volume", in: body), let number = Double(decimal: text)
        else { throw .malformedText(field: "volume") }
        self.init(decibels: number)
    }

    /// Body of SET_PARAMETER, and of the answer to ``query``.
    public var body: [UInt8] {
        let micro = Int(decibels.magnitude * 1_000_000 + 0.5)
        let digits = String(micro % 1_000_000)
        let padding = String(repeating: "0", count: 6 - digits.count)
        let sign = decibels < 0 ? "-" : ""
        return Array("volume: \(sign)\(micro / 1_000_000).\(padding)\(digits)\r\n".utf8)
    }
}
