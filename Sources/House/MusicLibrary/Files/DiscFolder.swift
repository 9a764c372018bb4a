/// A folder that may be one disc of an album, such as `CD 1` or `Disc2 - Live`.
struct DiscFolder: Hashable {
    private static let words = ["cd", "disc", "disk", "dvd"]

    /// The folder of the whole album: the folder above that of a disc, else the folder itself.
    let album: String
    /// The number of the disc; `nil` if the folder is not one of a disc.
    let number: Int?

    init(_ path: String) {
        number = Self.number(PathText.name(path).lowercased())
        album = number == nil ? path : PathText.folder(path)
    }

    private static func number(_ name: String) -> Int? {
        guard let word = words.first(where: { name.hasPrefix($0) }) else { return nil }
        let rest = name.dropFirst(word.count).drop { " _-.#".contains($0) }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        // Not "CD 101 - ..." nor "Discography".
        guard (1...2).contains(digits.count), rest.dropFirst(digits.count).first?.isLetter != true else {
            return nil
        }
        return Int(digits)
    }
}
