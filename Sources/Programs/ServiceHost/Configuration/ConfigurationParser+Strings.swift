extension ConfigurationParser {
    /// Parses `"text"` with escapes, or `'text'` without.
    mutating func parseString() throws(Failure) -> String {
        let start = position
        guard let quote = peek else { throw failure("a string is expected") }
        if peek(1) == quote, peek(2) == quote {
            throw failure("strings of several lines are not supported; write \\n inside \"…\"")
        }
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = peek, scalar != quote {
            guard scalar != "\n", scalar != "\r" else { break }
            guard scalar == "\t" || !Self.isControl(scalar) else {
                throw failure("control characters are not supported in strings; write \\u and four digits")
            }
            text.append(scalar == "\\" && quote == "\"" ? try parseEscape() : scalar)
            advance()
        }
        guard peek == quote else {
            throw failure("the string does not end in its line; add \(quote)", start)
        }
        advance()
        return String(text)
    }

    /// Parses an escape up to its last scalar, which the caller skips.
    private mutating func parseEscape() throws(Failure) -> Unicode.Scalar {
        let start = position
        advance()
        switch peek {
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{C}"
        case "r": return "\r"
        case "\"": return "\""
        case "\\": return "\\"
        case "u": return try parseCode(digits: 4, start)
        case "U": return try parseCode(digits: 8, start)
        default: throw failure("unknown escape; write \\\\ for a backslash, or use '…'", start)
        }
    }

    private mutating func parseCode(
        digits: Int, _ start: ConfigurationDocument.Position
    ) throws(Failure) -> Unicode.Scalar {
        var code: UInt32 = 0
        for _ in 0..<digits {
            advance()
            guard let digit = peek.flatMap({ Character($0).isASCII ? Character($0).hexDigitValue : nil })
            else {
                throw failure("this escape needs \(digits) hexadecimal digits", start)
            }
            // At most eight digits fit.
            code = code << 4 | UInt32(digit)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure("this is no Unicode character", start) }
        return scalar
    }
}
