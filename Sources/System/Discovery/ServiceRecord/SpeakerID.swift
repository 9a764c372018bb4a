/// The identity of a speaker, stable across announcements.
package enum SpeakerID: Hashable, Sendable {
    /// The device id (usually a MAC address): 12 upper-case hexadecimal digits.
    case device(String)
    /// The name of a speaker that announces no device id.
    case name(String)
    /// A stereo pair: the `tsid` that both halves announce.
    case pair(String)

    /// Creates the identity of the speaker that a service belongs to.
    package init(of service: DiscoveredService) {
        let device: String? =
            switch service.kind {
            case .airplay: service.txt.value(of: "deviceid")
            case .raop: Self.raopParts(service.name).device
            case .dacp: nil
            }
        if let digits = device.flatMap(Self.digits) {
            self = .device(digits)
        } else {
            self = .name(Self.displayName(of: service))
        }
    }

    /// Returns the speaker's name for users.
    static func displayName(of service: DiscoveredService) -> String {
        service.kind == .raop ? Self.raopParts(service.name).name : service.name
    }

    /// Splits `020000AA0001@Kitchen`.
    private static func raopParts(_ name: String) -> (device: String?, name: String) {
        // Bytes and not characters: the sign and a combining mark after it are one character.
        let parts = name.utf8.split(
            separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard parts.count == 2, digits(parts[0]) != nil else { return (nil, name) }
        return (parts[0], parts[1])
    }

    /// Returns the 12 digits of a device id, written with or without separators; `nil` for other text.
    static func digits(_ text: String) -> String? {
        let digits = text.filter { $0 != ":" && $0 != "-" }
        guard digits.utf8.count == 12, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        return digits.uppercased()
    }
}

extension SpeakerID: CustomStringConvertible {
    /// `02:00:00:AA:00:01`, the name, or `pair:` and the pair's id.
    package var description: String {
        switch self {
        case .name(let name): name
        case .pair(let id): "pair:\(id)"
        case .device(let digits):
            digits.enumerated().map {
                $0.offset > 0 && $0.offset.isMultiple(of: 2) ? ":\($0.element)" : "\($0.element)"
            }
            .joined()
        }
    }
}
