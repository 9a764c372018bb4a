/// The number of terminal columns that a text occupies.
public enum DisplayWidth {
    /// Returns the width of a text; colour sequences (`ESC [ … m`, ECMA-48) have no width.
    public static func of(_ text: String) -> Int {
        var isColour = false
        return text.reduce(0) { sum, character in
            if character == "\u{1B}" { isColour = true }
            defer { if character == "m" { isColour = false } }
            return isColour ? sum : sum + width(of: character)
        }
    }

    static func width(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first, !isInvisible(first) else { return 0 }
        // An emoji by variation selector 16, a wide letter, or two regional letters (a flag).
        if scalars.contains("\u{FE0F}") || isWide(first) { return 2 }
        if isRegionalLetter(first), scalars.count > 1 { return 2 }
        return 1
    }

    /// Returns a text cut to a width, with an ellipsis in the last column if anything is missing. Keeps all colour
    /// sequences, so that no colour goes on behind the text.
    public static func cut(_ text: String, to limit: Int) -> String {
        guard of(text) > limit else { return text }
        guard limit > 0 else { return "" }
        var result = ""
        var used = 0
        var (isColour, isFull) = (false, false)
        for character in text {
            if character == "\u{1B}" { isColour = true }
            if isColour {
                result.append(character)
                if character == "m" { isColour = false }
                continue
            }
            guard !isFull else { continue }
            used += width(of: character)
            isFull = used >= limit
            result.append(isFull ? "…" : character)
        }
        return result
    }

    /// Returns a text padded with spaces to a width.
    public static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - of(text)))
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    private static func isRegionalLetter(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmojiPresentation && !isRegionalLetter(scalar)
            || wideRanges.contains { $0.contains(scalar.value) }
    }

    /// The blocks of wide and full-width characters. Source: Unicode Standard Annex 11.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul initial consonants
        0x2E80...0x303E,  // CJK radicals, ideographic punctuation
        0x3041...0x33FF,  // Kana, Bopomofo, CJK symbols
        0x3400...0x4DBF,  // CJK extension A
        0x4E00...0x9FFF,  // CJK
        0xA000...0xA4CF,  // Yi
        0xA960...0xA97F,  // Hangul extended A
        0xAC00...0xD7A3,  // Hangul
        0xF900...0xFAFF,  // CJK compatibility
        0xFE30...0xFE6F,  // CJK compatibility forms
        0xFF01...0xFF60,  // full-width forms
        0xFFE0...0xFFE6,  // full-width signs
        0x1F300...0x1F64F,  // pictures, faces
        0x1F900...0x1F9FF,  // more pictures
        0x20000...0x3FFFD,  // CJK extensions B and later
    ]
}
