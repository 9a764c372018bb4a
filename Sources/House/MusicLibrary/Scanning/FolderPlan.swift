/// The work for one folder: decided from its listing and the rows of the database.
struct FolderPlan: Hashable, Sendable {
    /// Sound files to read, sorted.
    private(set) var sounds: [String] = []
    /// Playlists to read, sorted.
    private(set) var playlists: [String] = []
    /// Cue sheets that are new or have changed, sorted.
    private(set) var cues: [String] = []
    /// Files to forget.
    private(set) var gone: [KnownFile] = []
    /// Whether the folder's picture is another one.
    private(set) var changesCover: Bool

    private let known: [String: KnownFile]
    private let listing: FolderListing

    /// - Parameter coverStamp: The picture that the database knows, as ``coverStamp(of:)``.
    init(_ listing: FolderListing, known: [KnownFile], coverStamp: String?) {
        self.listing = listing
        self.known = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
        changesCover = Self.coverStamp(of: listing) != coverStamp
        for (name, file) in listing.files.sorted(by: { $0.key < $1.key }) {
            if let old = self.known[name], old.stamp == file.stamp, old.kind == file.kind,
                old.isReadWhole || file.kind != .sound
            {
                continue
            }
            switch file.kind {
            case .sound: sounds.append(name)
            case .playlist: playlists.append(name)
            case .cue: cues.append(name)
            }
        }
        gone = known.filter { listing.files[$0.name] == nil && !listing.uncertain.contains($0.name) }
    }

    /// Whether the folder is as the database knows it.
    var isEmpty: Bool {
        sounds.isEmpty && playlists.isEmpty && cues.isEmpty && gone.isEmpty && !changesCover
    }

    /// Whether a cue sheet is new, has changed or is gone.
    var changesCues: Bool { !cues.isEmpty || gone.contains { $0.kind == .cue } }

    /// Adds the sound files whose tracks a change of cue sheets may alter.
    ///
    /// - Parameter referenced: The sound files that the folder's cue sheets name.
    mutating func includeSounds(of referenced: some Sequence<String>) {
        guard changesCues else { return }
        var all = Set(sounds).union(referenced.filter { listing.files[$0]?.kind == .sound })
        for file in known.values where file.hasParts && listing.files[file.name] != nil {
            all.insert(file.name)
        }
        sounds = all.sorted()
    }

    /// Whether the database has never seen a file of this name.
    func isNew(_ name: String) -> Bool { known[name] == nil }

    /// The identity of a folder's picture; `nil` without one.
    static func coverStamp(of listing: FolderListing) -> String? {
        listing.cover.map { "\($0.name):\($0.stamp)" }
    }
}
