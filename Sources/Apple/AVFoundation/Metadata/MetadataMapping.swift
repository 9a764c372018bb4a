import CoreMedia
import Foundation
import TuttiCodecs

/// A mapping from FFmpeg's tags to metadata items under the names of the file's own format.
struct MetadataMapping {
    private let space: AVMetadataKeySpace

    /// - Parameter container: FFmpeg's short name of the file format.
    init(container: String) {
        space =
            switch container {
            case "mov": .iTunes
            case "mp3", "aac", "aiff": .id3
            case "flac", "ogg": .vorbisComment
            default: .audioFile
            }
    }

    init(space: AVMetadataKeySpace) { self.space = space }

    func items(of info: MediaInfo) -> [AVMetadataItem] {
        var items = info.metadata.compactMap(item)
        if let artwork = info.artwork { items.append(item(of: artwork)) }
        return items
    }

    /// Tags that only identify the kind of MPEG-4 file.
    private static let brands: Set<String> = ["major_brand", "minor_version", "compatible_brands"]

    func item(of tag: MediaTag) -> AVMetadataItem? {
        if space == .iTunes, Self.brands.contains(tag.key.lowercased()) { return nil }
        var content = MetadataContent()
        content.value = tag.value as NSString
        content.dataType = MetadataDataType.text
        var word = tag.key
        // ID3 lyrics end with their language, perhaps after a description: `lyrics-eng`.
        if word.lowercased().hasPrefix("lyrics-"), let dash = word.lastIndex(of: "-") {
            content.extendedLanguageTag = String(word[word.index(after: dash)...])
            word = "lyrics"
        }
        name(&content, word)
        if space == .iTunes { number(&content, tag.value) }
        return AVMetadataItem(content)
    }

    /// Sets the key and key space for an FFmpeg tag name.
    private func name(_ content: inout MetadataContent, _ word: String) {
        if word.hasPrefix("com.apple.quicktime.") {
            content.set(word, in: .quickTimeMetadata)
        } else if let key = MetadataName.named(word)?.key(in: space) {
            content.set(key, in: space)
        } else if space == .iTunes {
            content.set("com.apple.iTunes." + word, in: .iTunesLong)
        } else if space == .id3, !Self.isFrameName(word) {
            content.set(AVMetadataKey.id3MetadataKeyUserText.rawValue, in: .id3)
            content.extraAttributes[.info] = word
        } else {
            content.set(space == .vorbisComment ? word.uppercased() : word, in: space)
        }
    }

    /// Returns whether a word looks like an ID3 frame name: four capital letters or digits.
    private static func isFrameName(_ word: String) -> Bool {
        word.utf8.count == 4
            && word.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || (48...57).contains($0)
            }
    }

    /// Converts values that MPEG-4 files store as numbers back to their form in the file.
    private func number(_ content: inout MetadataContent, _ text: String) {
        switch content.keyText {
        case "trkn"?, "disk"?:
            let parts = text.split(separator: "/").map {
                UInt16($0.trimmingCharacters(in: .whitespaces)) ?? 0
            }
            let (part, count) = (parts.first ?? 0, parts.count > 1 ? parts[1] : 0)
            var bytes = [0, 0, UInt8(part >> 8), UInt8(part & 0xFF), UInt8(count >> 8), UInt8(count & 0xFF)]
            if content.keyText == "trkn" { bytes += [0, 0] }
            content.value = Data(bytes) as NSData
            content.dataType = MetadataDataType.raw
        case "cpil"?, "pgap"?, "pcst"?, "stik"?, "rtng"?, "tmpo"?:
            guard let number = Int32(text) else { return }
            content.value = NSNumber(value: number)
            content.dataType = MetadataDataType.integer
        default:
            break
        }
    }

    private func item(of artwork: Artwork) -> AVMetadataItem {
        var content = MetadataContent()
        content.value = Data(artwork.bytes) as NSData
        content.dataType = artwork.mimeType == "image/png" ? MetadataDataType.png : MetadataDataType.jpeg
        name(&content, "artwork")
        return AVMetadataItem(content)
    }
}
