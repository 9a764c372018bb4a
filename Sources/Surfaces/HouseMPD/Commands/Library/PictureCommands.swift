/// Pictures of songs, which clients read in parts.
struct PictureCommands: Sendable {
    /// The least and the most bytes of a part.
    private static let partSizes = 64...(1 << 20)

    private let pictures: any LibraryAccess
    private let library: ClientLibrary
    private var partSize = 8192
    /// The last picture that the client requested.
    private var last: (id: String, bytes: [UInt8], type: String)?

    init(pictures: any LibraryAccess, library: ClientLibrary) {
        (self.pictures, self.library) = (pictures, library)
    }

    mutating func setPartSize(_ value: String) throws(CommandError) {
        let size = try Argument.natural(value)
        guard size >= Self.partSizes.lowerBound else { throw CommandError(.argument, "Value too small") }
        partSize = min(size, Self.partSizes.upperBound)
    }

    /// Answers with a part of a song's picture.
    ///
    /// - Parameter withType: Whether to answer as `readpicture`, which has an empty answer for a song without a picture.
    mutating func picture(
        _ uri: String, _ offset: String, withType: Bool, _ answer: inout AnswerWriter
    ) async throws(CommandError) {
        let offset = try Argument.natural(offset)
        guard let song = try await library.song(at: uri) else {
            throw withType ? CommandError.noSong : CommandError(.missing, "No file exists")
        }
        guard let id = song.picture, let picture = await picture(id) else {
            if withType { return }
            throw CommandError(.missing, "No file exists")
        }
        guard offset <= picture.bytes.count else { throw CommandError(.argument, "Offset too large") }
        answer.add("size", picture.bytes.count)
        if withType { answer.add("type", picture.type) }
        answer.add(binary: picture.bytes[offset...].prefix(partSize))
    }

    private mutating func picture(_ id: String) async -> (bytes: [UInt8], type: String)? {
        if let last, last.id == id { return (last.bytes, last.type) }
        guard let found = await pictures.picture(id) else { return nil }
        // Clients want the next part at once, and the next picture after the last part.
        last = (id, found.bytes, found.mimeType)
        return (found.bytes, found.mimeType)
    }
}
