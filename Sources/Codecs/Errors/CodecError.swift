internal import CFFmpeg

/// An encoder or decoder that could not be opened or gave up; the library's call and code.
public struct CodecError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A negative number of the library, or 0 where the library has no such codec.
    public let code: Int32
    /// The call that failed.
    public let operation: String

    init(code: Int32, operation: String) {
        self.code = code
        self.operation = operation
    }

    public var description: String {
        "\(operation): \(code == 0 ? "no such codec in this build of FFmpeg" : LibraryText.of(code))"
    }

    static func check(_ code: Int32, _ operation: String) throws(CodecError) {
        if code < 0 { throw CodecError(code: code, operation: operation) }
    }
}

/// The library's words for its error codes.
enum LibraryText {
    static func of(_ code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 128)
        guard av_strerror(code, &text, text.count) == 0 else { return "error \(code)" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
