/// The state of the library, as a summary.
public struct LibraryState: Codable, Hashable, Sendable {
    /// The number of tracks.
    public var tracks = 0
    /// The number of albums.
    public var albums = 0
    /// The number of artists.
    public var artists = 0
    /// Whether folders are being scanned.
    public var isScanning = false
    /// The sound files read in this scan, or in the last one.
    public var scanned = 0
    /// Troubles of folders or of the database; empty if there are none.
    public var troubles: [LibraryTrouble] = []

    /// Makes the state of an empty library.
    public init() {}
}

/// Something wrong with the library.
public struct LibraryTrouble: Codable, Hashable, Sendable {
    /// A word for programs: `folderMissing`, `watchLimit`, `diskFull`, `database`, `setAside`, `unreadable`.
    public var code: String
    /// A sentence that names the thing, what happened and what to do.
    public var message: String

    /// Makes a trouble.
    public init(code: String, message: String) { (self.code, self.message) = (code, message) }
}

/// The reason why the library refused a call.
public struct LibraryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a refusal.
    public enum Kind: String, Sendable, CaseIterable {
        /// The item does not exist.
        case notFound
        /// A value is out of its range, or makes no sense.
        case invalid
        /// A limit is reached, such as the number of tracks of one call.
        case limit
        /// The database cannot be used now.
        case unavailable
    }

    /// The kind.
    public let kind: Kind
    /// A sentence for users.
    public let description: String

    /// Makes an error.
    public init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}
