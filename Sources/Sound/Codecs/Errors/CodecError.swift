import CTuttiFFmpeg

/// An error of an FFmpeg encoder or decoder: the failed call and its code.
package struct CodecError: Error, Equatable, Sendable, CustomStringConvertible {
    /// FFmpeg's negative error code, or 0 if this build of FFmpeg lacks the codec.
    package let code: Int32
    /// The FFmpeg function that failed.
    package let operation: String

    init(code: Int32, operation: String) {
        self.code = code
        self.operation = operation
    }

    /// The message for logs: operation, code and the library's text.
    package var description: String {
        "\(operation): \(code == 0 ? "no such codec in this build of FFmpeg" : LibraryText.of(code))"
    }

    static func check(_ code: Int32, _ operation: String) throws(CodecError) {
        if code < 0 { throw CodecError(code: code, operation: operation) }
    }
}

/// FFmpeg's texts for its error codes.
enum LibraryText {
    static func of(_ code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 128)
        guard av_strerror(code, &text, text.count) == 0 else { return "error \(code)" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
