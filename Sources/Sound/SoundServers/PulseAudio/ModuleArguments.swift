/// The arguments of `module-tunnel-sink`.
struct ModuleArguments {
    var name: String
    var title: String
    var icon: String
    var hertz: Int
    /// Path of the socket that the tunnel connects to, without spaces.
    var socket: String

    /// The arguments as one text.
    var text: String {
        let properties =
            "device.description=\(Self.quoted(title)) device.icon_name=\(Self.quoted(icon))"
        return [
            "server=unix:\(socket)", "sink_name=\(Self.identifier(name))", "format=float32ne", "channels=2",
            "rate=\(hertz)", "channel_map=front-left,front-right",
            "sink_properties='\(properties)'",
        ].joined(separator: " ")
    }

    /// Returns the name with every character that a server does not accept in names replaced.
    static func identifier(_ name: String) -> String {
        let scalars = name.unicodeScalars.prefix(100).map { scalar -> Character in
            let isAllowed =
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                || [".", "_", "-"].contains(scalar)
            return isAllowed ? Character(scalar) : "_"
        }
        return scalars.isEmpty ? "tutti" : String(scalars)
    }

    /// Returns a text without control characters, of a length that mixers can show.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(200).map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    /// Returns a text in double quotes, for within single ones: PulseAudio unescapes such properties once
    /// (*observed* with 16.1).
    private static func quoted(_ text: String) -> String {
        // Works on scalars: a mark that combines with another one is still a mark to the server.
        let escaped = printable(text).unicodeScalars.reduce(into: String.UnicodeScalarView()) {
            result, scalar in
            if ["\\", "\"", "'"].contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return "\"\(String(escaped))\""
    }
}
