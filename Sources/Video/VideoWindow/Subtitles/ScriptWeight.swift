/// An estimate of the memory that libass needs to draw the events of a script, whose sizes no cache limit of libass bounds.
///
/// Each glyph is a bitmap as large as its font with its border, shadow and blur. The unit is a square as high as the canvas:
/// two lines of ordinary text weigh about 0.3, a screen full of signs about 6.
struct ScriptWeight {
    /// The heaviest events of one moment.
    static let limit = 24.0
    private static let (opening, closing) = (UInt8(ascii: "{"), UInt8(ascii: "}"))

    /// The sizes that a glyph has; lengths in pixels of the script.
    private struct Sizes {
        var font = 0.0
        var scaleX = 1.0
        var scaleY = 1.0
        var border = 0.0
        var shadow = 0.0
        var blur = 0.0
        var shear = 0.0
        var spacing = 0.0
        /// Whether lines are turned in the plane: a line's bitmap is as wide and as high as the line is long.
        var isRotated = false
        /// Whether glyphs are turned in space, which brings some closer.
        var isTurned = false
        /// The scale of a drawing as a power of two; 0 for text.
        var drawing = 0.0

        mutating func grow(to other: Sizes) {
            font = max(font, other.font)
            (scaleX, scaleY) = (max(scaleX, other.scaleX), max(scaleY, other.scaleY))
            (border, shadow) = (max(border, other.border), max(shadow, other.shadow))
            (blur, shear) = (max(blur, other.blur), max(shear, other.shear))
            (spacing, isRotated) = (max(spacing, other.spacing), isRotated || other.isRotated)
        }
    }

    /// The sizes of styles by their names, and the largest of all for events of others.
    private var styles: [String: Sizes] = [:]
    private var largest = Sizes()
    private var height = 288.0
    /// The pixels of borders in a canvas height; some scripts count the screen's pixels.
    private var borderHeight = 288.0

    /// The most styles that are distinguished.
    private static let styleLimit = 1024

    /// Reads a script's canvas and styles.
    init(header: String) {
        var columns = [
            "name": 0,
            "fontsize": 2, "scalex": 11, "scaley": 12, "spacing": 13, "angle": 14, "outline": 16,
            "shadow": 17,
        ]
        var (width, hasHeight, scalesBorders) = (0.0, false, false)
        for line in header.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let (key, value) = (Self.plain(line[..<colon]), line[line.index(after: colon)...])
            switch key {
            case "playresx": width = Double(Self.plain(value)) ?? 0
            case "playresy":
                if let number = Double(Self.plain(value)), number >= 1 {
                    (height, hasHeight) = (number, true)
                }
            case "scaledborderandshadow": scalesBorders = ["yes", "1"].contains(Self.plain(value))
            case "format":
                let names = value.split(separator: ",", omittingEmptySubsequences: false).map(Self.plain)
                for (index, name) in names.enumerated() where columns[name] != nil { columns[name] = index }
            case "style":
                let fields = value.split(separator: ",", omittingEmptySubsequences: false).map(Self.plain)
                let sizes = Self.sizes(fields, columns)
                largest.grow(to: sizes)
                if let name = columns["name"].flatMap({ $0 < fields.count ? fields[$0] : nil }),
                    styles.count < Self.styleLimit
                {
                    styles[name] = sizes
                }
            default: break
            }
        }
        if !hasHeight, width >= 1 { height = width * 3 / 4 }
        if largest.font == 0 { largest.font = height / 16 }
        borderHeight = scalesBorders ? height : min(height, 288)
    }

    /// Returns the sizes of a style.
    ///
    /// - Parameter columns: The places of the fields, by their names.
    private static func sizes(_ fields: [String], _ columns: [String: Int]) -> Sizes {
        func field(_ name: String) -> Double? {
            columns[name].flatMap { $0 < fields.count ? Double(fields[$0]) : nil }.map(abs)
        }
        var sizes = Sizes()
        sizes.font = field("fontsize") ?? 0
        (sizes.scaleX, sizes.scaleY) = ((field("scalex") ?? 100) / 100, (field("scaley") ?? 100) / 100)
        (sizes.border, sizes.shadow) = (field("outline") ?? 0, field("shadow") ?? 0)
        (sizes.spacing, sizes.isRotated) = (field("spacing") ?? 0, field("angle") ?? 0 != 0)
        return sizes
    }

    private static func plain(_ text: Substring) -> String {
        text.lowercased().filter { !$0.isWhitespace }
    }

    /// The sizes of a style; some scripts write an asterisk before its name.
    private func sizes(ofStyle name: String) -> Sizes {
        styles[name] ?? styles[String(name.drop { $0 == "*" })] ?? largest
    }

    /// Returns the weight of an event, `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    func weight(of event: String) -> Double {
        let fields = event.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false)
        let style = fields.count > 3 ? sizes(ofStyle: Self.plain(fields[2])) : largest
        var (sizes, weight, rest) = (style, 0.0, Self.text(of: event)[...])
        let last = rest.lastIndex(of: Self.closing) ?? rest.startIndex
        while let first = rest.first, weight.isFinite, weight <= Self.limit {
            if first == Self.opening, rest.startIndex < last, let end = rest.firstIndex(of: Self.closing) {
                weight += apply(rest[rest.index(after: rest.startIndex)..<end], to: &sizes, of: style)
                rest = rest[rest.index(after: end)...]
                continue
            }
            let end = rest.dropFirst().firstIndex(of: Self.opening) ?? rest.endIndex
            weight += sizes.drawing > 0 ? drawing(rest[..<end], sizes) : text(rest[..<end], sizes)
            rest = rest[end...]
        }
        return weight
    }

    /// Returns an event without its overrides, so that it has its style alone.
    static func plainEvent(_ event: String) -> String {
        let text = Self.text(of: event)
        var (kept, isInside) = ([UInt8](), false)
        for byte in text {
            if byte == opening { isInside = true }
            if !isInside { kept.append(byte) }
            if byte == closing { isInside = false }
        }
        return String(decoding: event.utf8.dropLast(text.count), as: UTF8.self)
            + String(decoding: kept, as: UTF8.self)
    }

    /// The ninth field.
    private static func text(of event: String) -> ArraySlice<UInt8> {
        let bytes = Array(event.utf8)
        var commas = 0
        guard
            let place = bytes.firstIndex(where: { byte in
                if byte == UInt8(ascii: ",") { commas += 1 }
                return commas == 8
            })
        else { return [] }
        return bytes[(place + 1)...]
    }

    private func text(_ text: ArraySlice<UInt8>, _ sizes: Sizes) -> Double {
        let edge = 2 * (sizes.border + sizes.shadow + sizes.blur) / borderHeight
        let font = sizes.font / height
        let across = font * sizes.scaleX * (1 + sizes.shear) + sizes.spacing / height + edge
        let down = font * sizes.scaleY * (1 + sizes.shear) + edge
        var (weight, glyphCount, before) = (0.0, 0.0, UInt8(0))
        func endLine() {
            let line = sizes.isRotated ? 0.7 * glyphCount * across : 0
            weight += glyphCount * across * down + line * line
            glyphCount = 0
        }
        for byte in text {
            // The first byte of each character.
            if byte & 0xC0 != 0x80 { glyphCount += 1 }
            if before == UInt8(ascii: "\\"), byte == UInt8(ascii: "N") || byte == UInt8(ascii: "n") {
                endLine()
            }
            before = byte
        }
        endLine()
        return weight * (sizes.isTurned ? 4 : 1)
    }

    /// A drawing is one bitmap, as large as its coordinates.
    private func drawing(_ text: ArraySlice<UInt8>, _ sizes: Sizes) -> Double {
        let reach = 2 * Self.largest(in: text) / (sizes.drawing * height)
        let edge = 2 * (sizes.border + sizes.shadow + sizes.blur) / borderHeight
        return (reach * sizes.scaleX * (1 + sizes.shear) + edge)
            * (reach * sizes.scaleY * (1 + sizes.shear) + edge)
            * (sizes.isTurned ? 4 : 1)
    }

    // MARK: Overrides

    /// Takes the largest of each size in a block, because the block may change sizes over time; returns the weight of its
    /// clipping masks.
    private func apply(_ block: ArraySlice<UInt8>, to sizes: inout Sizes, of style: Sizes) -> Double {
        var (found, weight) = ([String: Double](), 0.0)
        for tag in block.split(separator: UInt8(ascii: "\\")) {
            let name = String(decoding: tag.prefix { (0x61...0x7A).contains($0) }, as: UTF8.self)
            let value = tag.dropFirst(name.utf8.count)
            switch name {
            case "clip", "iclip":
                // A rectangle needs no mask.
                if value.contains(UInt8(ascii: "m")) {
                    let reach = 2 * Self.largest(in: value) / height
                    weight += reach * reach
                }
            case "org": found[name] = max(found[name] ?? 0, Self.largest(in: value))
            case "fs" where value.first == UInt8(ascii: "+") || value.first == UInt8(ascii: "-"):
                found[name] = max(found[name] ?? 0, sizes.font * (1 + Self.number(value) / 10))
            case _ where name.first == "r":
                let other = Self.plain(Substring(String(decoding: tag.dropFirst(), as: UTF8.self)))
                sizes = other.isEmpty ? style : self.sizes(ofStyle: other)
                found = [:]
            default: found[name] = max(found[name] ?? 0, Self.number(value))
            }
        }
        sizes.font = found["fs"] ?? sizes.font
        sizes.scaleX = found["fscx"].map { $0 / 100 } ?? sizes.scaleX
        sizes.scaleY = found["fscy"].map { $0 / 100 } ?? sizes.scaleY
        sizes.border = ["bord", "xbord", "ybord"].compactMap { found[$0] }.max() ?? sizes.border
        sizes.shadow = ["shad", "xshad", "yshad"].compactMap { found[$0] }.max() ?? sizes.shadow
        // libass blurs no farther.
        sizes.blur = found["blur"].map { 3 * min($0, 100) } ?? found["be"].map { min($0, 127) } ?? sizes.blur
        sizes.shear = ["fax", "fay"].compactMap { found[$0] }.max() ?? sizes.shear
        sizes.spacing = found["fsp"] ?? sizes.spacing
        sizes.isRotated = sizes.isRotated || ["fr", "frz"].contains { (found[$0] ?? 0) != 0 }
        sizes.isTurned = sizes.isTurned || ["frx", "fry"].contains { (found[$0] ?? 0) != 0 }
        if let scale = found["p"] { sizes.drawing = scale >= 1 ? Double(1 << Int(min(scale, 24) - 1)) : 0 }
        // A glyph that is rotated around a far point can come arbitrarily close.
        if sizes.isTurned, found["org"] ?? 0 > 4 * height { return .infinity }
        return weight
    }

    /// The size of the number at the beginning; 0 without one.
    private static func number(_ text: ArraySlice<UInt8>) -> Double {
        largest(in: text.prefix { isNumeric($0) })
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
    }

    /// The largest size of the numbers in a text.
    private static func largest(in text: ArraySlice<UInt8>) -> Double {
        text.split { !isNumeric($0) }.reduce(0) { found, part in
            let size = Double(String(decoding: part, as: UTF8.self)).map(abs) ?? 0
            return size.isFinite ? max(found, size) : .infinity
        }
    }
}
