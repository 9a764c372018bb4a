import Foundation

/// The kind and size of an encoded picture, read from its header.
///
/// Source: PNG, third edition, 5.2 and 11.2.1; ITU-T T.81, B.1 and B.2.2.
struct ImageHeader: Equatable, Sendable {
    enum Kind: Sendable { case jpeg, png }

    let kind: Kind
    /// The width in pixels, at least 1.
    let width: Int
    let height: Int

    init?(_ data: Data) {
        let bytes = [UInt8](data)
        if bytes.starts(with: Self.pngSignature) {
            self.init(png: bytes)
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self.init(jpeg: bytes)
        } else {
            return nil
        }
    }

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private init?(kind: Kind, width: Int, height: Int) {
        guard width > 0, height > 0 else { return nil }
        (self.kind, self.width, self.height) = (kind, width, height)
    }

    /// Reads width and height, the first 8 bytes of the first chunk.
    private init?(png bytes: [UInt8]) {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        let number = { (from: Int) in bytes[from..<from + 4].reduce(0) { $0 << 8 | Int($1) } }
        self.init(kind: .png, width: number(16), height: number(20))
    }

    /// Walks the markers up to the first frame header.
    private init?(jpeg bytes: [UInt8]) {
        var position = 2
        while position + 8 < bytes.count {
            guard bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            switch marker {
            case 0xFF:
                // A fill byte.
                position += 1
            case 0x01, 0xD0...0xD8:
                // A marker without a length.
                position += 2
            case 0xD9, 0xDA:
                // The end of the picture, or picture data, before any frame header.
                return nil
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                let number = { (from: Int) in Int(bytes[from]) << 8 | Int(bytes[from + 1]) }
                self.init(kind: .jpeg, width: number(position + 7), height: number(position + 5))
                return
            default:
                let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
                guard length >= 2 else { return nil }
                position += 2 + length
            }
        }
        return nil
    }
}
