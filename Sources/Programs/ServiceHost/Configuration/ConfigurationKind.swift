import TuttiSystemIO

/// The required form of a setting's value.
package enum ConfigurationKind: Hashable, Sendable {
    /// `true` or `false`.
    case boolean
    /// A whole number in a range.
    case integer(ClosedRange<Int>)
    /// A number in a range, with a fraction or without.
    case number(ClosedRange<Double>)
    /// One of some words.
    case choice([String])
    /// A line of text.
    case text
    /// A folder: an absolute path, `~/…`, or a path relative to the configuration file's folder.
    case folder
    /// A file, spelled as a folder is.
    case file
    /// The address of a network interface.
    case address
    /// An address to listen on; `*` is every address.
    case listenAddress
    /// The name of a host.
    case hostName
    /// A host and a port, such as `10.0.0.7:7000`.
    case endpoint
    /// Two different ports.
    case portPair
    /// A list of values of one kind; its elements are no lists.
    indirect case list(ConfigurationKind)

    /// Returns the reason why a value is invalid, such as "must be true or false"; `nil` if it is valid.
    func objection(to value: ConfigurationValue) -> String? {
        switch (self, value) {
        case (.boolean, .boolean): nil
        case (.integer(let range), .integer(let number)) where range.contains(number): nil
        case (.number(let range), .integer(let number)) where range.contains(Double(number)): nil
        case (.number(let range), .float(let number)) where range.contains(number): nil
        case (.portPair, .array(let ports)): Self.isPortPair(ports) ? nil : "must be \(words)"
        case (.list(let kind), .array(let elements)): Self.objection(to: elements, kind)
        case (_, .string(let text)) where accepts(text): nil
        default: "must be \(words), not \(Self.shown(value))"
        }
    }

    private static func objection(to elements: [ConfigurationValue], _ kind: ConfigurationKind) -> String? {
        for (index, element) in elements.enumerated() {
            guard let objection = kind.objection(to: element) else { continue }
            return "has a wrong value at place \(index + 1): it \(objection)"
        }
        return nil
    }

    private func accepts(_ text: String) -> Bool {
        switch self {
        case .choice(let words): words.contains(text)
        case .text: !text.isEmpty && text.count <= Self.textLimit && !Self.hasControl(text)
        case .folder, .file: !text.isEmpty && text.utf8.count <= Self.pathLimit && !Self.hasControl(text)
        case .address: IPAddress(text) != nil
        case .listenAddress: text == "*" || IPAddress(text) != nil
        case .hostName: Self.isHostName(text)
        case .endpoint: Self.isEndpoint(text)
        default: false
        }
    }

    /// The form in words, with an article where one is needed: "a whole number from 1 to 65535".
    var words: String {
        switch self {
        case .boolean: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range):
            "a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
        case .choice(let words): "one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .text: "a text of 1 to \(Self.textLimit) characters in one line"
        case .folder: "a folder, such as \"/srv/music\" or \"~/Music\""
        case .file: "a file, such as \"/etc/tutti/password\""
        case .address: "an IP address, such as \"192.168.1.5\""
        case .listenAddress: "an IP address, such as \"192.168.1.5\", or \"*\" for all"
        case .hostName: "a host name, such as \"music.example.org\""
        case .endpoint: "an IP address and a port, such as \"10.0.0.7:7000\""
        case .portPair: "two different ports, such as [31900, 32000]"
        case .list(let kind): "a list in brackets, of which each value is \(kind.words)"
        }
    }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }

    /// A value for a message; long ones by their kind only.
    private static func shown(_ value: ConfigurationValue) -> String {
        let text = value.text
        return text.count <= 60 ? text : value.kindWords
    }

    private static func isPortPair(_ ports: [ConfigurationValue]) -> Bool {
        let isEachPort = ports.allSatisfy { ConfigurationKind.integer(1...65_535).objection(to: $0) == nil }
        return isEachPort && ports.count == 2 && ports[0] != ports[1]
    }

    private static func hasControl(_ text: String) -> Bool {
        text.unicodeScalars.contains(where: ConfigurationParser.isControl)
    }

    /// Letters, digits and hyphens in labels. Source: RFC 1123, 2.1.
    private static func isHostName(_ text: String) -> Bool {
        text.utf8.count <= 253
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count) && label.first != "-" && label.last != "-"
                    && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            }
    }

    private static func isEndpoint(_ text: String) -> Bool {
        let endpoint = EndpointText(text, defaultPort: HouseSettings.SpeakerAddress.usualPort)
        return endpoint.flatMap { IPAddress($0.host) } != nil
    }

    /// Names of devices and outputs are shorter, and longer ones do not fit a display.
    private static let textLimit = 255
    /// The kernel's limit, `PATH_MAX`.
    private static let pathLimit = 4095
}
