/// The volume of a receiver in decibels: −30 ... 0, or −144 for mute.
///
/// The receiver decides on the curve behind the number. Text form: `volume: -15.000000` and CR LF.
package struct Volume: Hashable, Comparable, Sendable {
    /// The decibels, −30 ... 0, or −144 for mute.
    package let decibels: Double

    /// Silence: −144.
    package static let mute = Volume(checked: -144)
    /// Full volume: 0 dB.
    package static let full = Volume(checked: 0)
    /// The lowest position: −30 dB, 0 %. Most senders send mute instead.
    package static let quietest = Volume(checked: -30)

    private init(checked decibels: Double) { self.decibels = decibels }

    /// Creates a volume. Clamps values to −30 ... 0; values of −100 and below, and NaN, become mute.
    package init(decibels: Double) {
        guard decibels > -100 else {
            self = .mute
            return
        }
        self.decibels = Swift.max(-30, Swift.min(0, decibels))
    }

    /// Converts a percentage: 0 % is mute, all else linear, dB = −30 + 0.3 · percent.
    package init(percent: Double) {
        self = percent > 0 ? Volume(decibels: -30 + 0.3 * Swift.min(percent, 100)) : .mute
    }

    /// Whether the volume is mute.
    package var isMuted: Bool { self == .mute }

    /// The volume in percent, 0 ... 100.
    package var percent: Double { isMuted ? 0 : (decibels + 30) / 0.3 }

    /// Orders volumes from quiet to loud; muted is the lowest.
    package static func < (left: Volume, right: Volume) -> Bool { left.decibels < right.decibels }

    /// The media type.
    package static let contentType = TextParameters.contentType
    /// Body of the GET_PARAMETER request for the volume.
    package static let query = Array("volume\r\n".utf8)

    /// Reads a body with a line `volume: …`.
    package init(body: [UInt8]) throws(MessageError) {
        guard let text = TextParameters.value(of: "volume", in: body), let number = Double(decimal: text)
        else { throw .malformedText(field: "volume") }
        self.init(decibels: number)
    }

    /// Body of SET_PARAMETER, and of the response to ``query``.
    package var body: [UInt8] {
        let micro = Int(decibels.magnitude * 1_000_000 + 0.5)
        let digits = String(micro % 1_000_000)
        let padding = String(repeating: "0", count: 6 - digits.count)
        let sign = decibels < 0 ? "-" : ""
        return Array("volume: \(sign)\(micro / 1_000_000).\(padding)\(digits)\r\n".utf8)
    }
}
