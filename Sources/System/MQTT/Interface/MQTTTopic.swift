/// Names and filters of topics: levels with slashes between them.
package enum MQTTTopic {
    /// The most bytes of a name.
    package static let byteLimit = 65_535

    /// Whether a text can be the name of a topic: not empty, no wildcard, no control character.
    package static func isName(_ text: String) -> Bool {
        (1...byteLimit).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0 != "+" && $0 != "#" && $0.value >= 0x20 && $0.value != 0x7F
            }
    }

    /// Returns one level of a topic that stands for any text: lower-case ASCII letters, digits, `-` and `_`.
    ///
    /// - Returns: At most 48 characters; empty if the text has no ASCII letter or digit.
    package static func level(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars where result.utf8.count < 48 {
            switch scalar {
            case "a"..."z", "0"..."9", "-": result.unicodeScalars.append(scalar)
            case "A"..."Z": result += String(scalar).lowercased()
            default: if !result.hasSuffix("_") { result += "_" }
            }
        }
        while result.hasSuffix("_") { result.removeLast() }
        while result.hasPrefix("_") { result.removeFirst() }
        return result.contains { $0.isLetter || $0.isNumber } ? result : ""
    }
}
