/// Texts as libsystemd takes them.
enum BusText {
    /// Returns a text without zeros and without Unicode's noncharacters, for which libsystemd refuses a whole
    /// message.
    static func sendable(_ text: String) -> String {
        // Zeros aside, noncharacters begin with the bytes 0xEF ... 0xF4.
        if text.utf8.allSatisfy({ $0 != 0 && $0 < 0xEF }) { return text }
        var sendable = String.UnicodeScalarView()
        sendable.append(contentsOf: text.unicodeScalars.lazy.filter(isSendable))
        return String(sendable)
    }

    private static func isSendable(_ scalar: Unicode.Scalar) -> Bool {
        !(scalar == "\0" || (0xFDD0...0xFDEF) ~= scalar.value || scalar.value & 0xFFFE == 0xFFFE)
    }
}
