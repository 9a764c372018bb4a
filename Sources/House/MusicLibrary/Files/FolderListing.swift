import Foundation

/// The kinds of files that the library reads.
enum FileKind: Int, Sendable, Hashable {
    case sound
    case playlist
    case cue

    private static let sounds: Set<String> = [
        "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "au", "caf", "dff", "dsf", "dts", "eac3", "flac",
        "m4a",
        "m4b", "m4r", "mka", "mp2", "mp3", "mpc", "oga", "ogg", "opus", "snd", "spx", "tak", "tta", "w64",
        "wav",
        "weba", "wma", "wv",
    ]
    private static let playlists: Set<String> = ["m3u", "m3u8", "pls", "xspf"]

    /// Returns the kind of a file by its extension; `nil` for other files.
    init?(name: String) {
        let ending = PathText.ending(name)
        if Self.sounds.contains(ending) {
            self = .sound
        } else if Self.playlists.contains(ending) {
            self = .playlist
        } else if ending == "cue" {
            self = .cue
        } else {
            return nil
        }
    }
}

/// The facts that tell whether a file has changed.
struct FileStamp: Hashable, Sendable, CustomStringConvertible {
    var size: Int64
    /// Unix time in nanoseconds.
    var modified: Int64
    var inode: Int64

    /// The stamp of a file that the next scan reads again: no file has it.
    static let unread = FileStamp(size: -1, modified: 0, inode: 0)

    var description: String { "\(size):\(modified):\(inode)" }
}

/// The contents of a folder.
struct FolderListing: Hashable, Sendable {
    /// A file that the library reads.
    struct File: Hashable, Sendable {
        var kind: FileKind
        var stamp: FileStamp
    }

    /// The identity of the folder in its file system.
    var device: Int64 = 0
    var inode: Int64 = 0
    /// Files by name.
    var files: [String: File] = [:]
    /// Folders below, sorted.
    var folders: [String] = []
    /// The best picture of the folder.
    var cover: (name: String, stamp: FileStamp)? {
        covers.min { ($0.value.rank, $0.key) < ($1.value.rank, $1.key) }.map { ($0.key, $0.value.stamp) }
    }
    /// Names whose facts the system refused: nothing is known about these files.
    var uncertain: Set<String> = []
    /// Whether there is nothing in the folder, not even hidden files.
    var isEmpty = true

    private var covers: [String: Cover] = [:]
    private struct Cover: Hashable, Sendable {
        var rank: Int
        var stamp: FileStamp
    }

    /// The most entries of a folder; further ones are ignored.
    static let entryLimit = 200_000
    private static let coverNames = ["cover", "folder", "front", "album", "albumart"]
    private static let coverEndings = ["jpg", "jpeg", "png"]

    mutating func add(_ name: String, _ kind: FileKind, _ stamp: FileStamp) {
        files[name] = File(kind: kind, stamp: stamp)
    }

    /// Adds a picture if its name is that of a cover.
    mutating func addCover(_ name: String, _ stamp: FileStamp) {
        let (stem, ending) = PathText.split(name.lowercased())
        guard let first = Self.coverNames.firstIndex(of: stem),
            let second = Self.coverEndings.firstIndex(of: String(ending.dropFirst()))
        else { return }
        covers[name] = Cover(rank: first * Self.coverEndings.count + second, stamp: stamp)
    }
}

/// The result of looking into a folder.
enum FolderReading {
    case listing(FolderListing)
    /// There is no such folder.
    case missing
    /// The system refused to list the folder, in its words.
    case refused(String)

    /// Lists a folder. Hidden files are skipped; a folder with a file `.nomedia` counts as one without music.
    init(_ path: String) {
        guard let folder = opendir(path) else {
            self = [ENOENT, ENOTDIR].contains(errno) ? .missing : .refused(String(cString: strerror(errno)))
            return
        }
        defer { closedir(folder) }
        var listing = FolderListing()
        var facts = stat()
        guard fstat(dirfd(folder), &facts) == 0 else {
            self = .refused(String(cString: strerror(errno)))
            return
        }
        let identity = FolderIdentity(facts)
        (listing.device, listing.inode) = (identity.device, identity.inode)
        for _ in 0..<FolderListing.entryLimit {
            errno = 0
            guard let entry = readdir(folder) else { break }
            guard let name = Self.name(of: entry), name != ".", name != ".." else { continue }
            listing.isEmpty = false
            if name == ".nomedia" {
                (listing.files, listing.folders) = ([:], [])
                self = .listing(FolderListing(ignored: listing))
                return
            }
            if name.hasPrefix(".") { continue }
            Self.add(name, at: dirfd(folder), to: &listing)
        }
        // An error in mid-list: files that are not seen are not gone.
        if errno != 0, errno != ENOENT {
            self = .refused(String(cString: strerror(errno)))
            return
        }
        listing.folders.sort()
        self = .listing(listing)
    }

    /// The name of an entry; `nil` if it is not UTF-8, because such a file cannot be named.
    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
        }
    }

    private static func add(_ name: String, at folder: Int32, to listing: inout FolderListing) {
        var facts = stat()
        guard fstatat(folder, name, &facts, 0) == 0 else {
            // A link without a target is no file.
            if errno != ENOENT { listing.uncertain.insert(name) }
            return
        }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR: listing.folders.append(name)
        case S_IFREG:
            let stamp = FileStamp(facts)
            if let kind = FileKind(name: name) {
                listing.add(name, kind, stamp)
            } else {
                listing.addCover(name, stamp)
            }
        default: break
        }
    }
}

extension FolderListing {
    /// A folder whose contents the user excluded.
    init(ignored listing: FolderListing) {
        self.init()
        (device, inode, isEmpty) = (listing.device, listing.inode, false)
    }
}

extension FileStamp {
    init(_ facts: stat) {
        let (seconds, overflow) = Int64(facts.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        // A time outside of the range stays a time that can be compared.
        modified = overflow ? Int64(facts.st_mtim.tv_sec) : seconds &+ Int64(facts.st_mtim.tv_nsec)
        (size, inode) = (Int64(facts.st_size), Int64(bitPattern: UInt64(facts.st_ino)))
    }
}
