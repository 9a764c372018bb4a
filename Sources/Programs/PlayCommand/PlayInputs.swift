import AVFoundation
import Glibc
import Playback

/// A converter from files, folders and addresses of the command line to a list of items to play.
enum PlayInputs {
    /// File extensions searched for in folders. A file named on the command line may have any extension.
    private static let extensions: Set<String> = [
        "aac", "adts", "aif", "aifc", "aiff", "alac", "flac", "m4a", "m4b", "mp3", "mp4", "oga", "ogg",
        "opus", "wav",
        "wave", "wma", "mka", "ape", "wv", "avi", "m4v", "mkv", "mov", "webm",
    ]
    /// The most items.
    private static let limit = 100_000

    /// Expands folders and playlists, but not playlists inside playlists. May block on the network.
    ///
    /// - Parameters:
    ///   - format: The format of raw samples, if the arguments are pipes or files of raw samples.
    ///   - isTerminal: Whether standard input is a terminal, which cannot deliver music.
    /// - Throws: ``PlayInputError`` if a named item does not exist or holds no music.
    static func expand(
        _ arguments: [String], format: LiveFormat? = nil, isTerminal: Bool = isatty(0) == 1
    ) throws(PlayInputError) -> [PlayInput] {
        var inputs: [PlayInput] = []
        if arguments.count(where: { $0 == PlayInput.standardInput }) > 1 {
            throw PlayInputError(description: "standard input (-) can be played only once")
        }
        if isTerminal, arguments.contains(PlayInput.standardInput) {
            throw PlayInputError(
                description:
                    "standard input is a terminal; send music to it, such as: cat FILE | tutti play -")
        }
        for path in try files(arguments, format) {
            if try isPipe(path, format) {
                inputs.append(PlayInput(path: path, pipe: PlayInput.Pipe(format: format)))
                continue
            }
            guard TuttiPlaylist.isPlaylist(path) else {
                inputs.append(PlayInput(path: path))
                continue
            }
            inputs += try entries(of: path)
            if inputs.count > limit { inputs.removeLast(inputs.count - limit) }
        }
        return inputs
    }

    /// Returns the entries of a playlist, or the path itself if it is not a playlist.
    static func entries(of path: String) throws(PlayInputError) -> [PlayInput] {
        do {
            guard let list = try TuttiPlaylist.read(path) else { return [PlayInput(path: path)] }
            if list.entries.isEmpty { throw PlayInputError(description: "the playlist '\(path)' is empty") }
            return list.entries.map { PlayInput(path: $0.location, title: $0.title) }
        } catch let error as PlayInputError {
            throw error
        } catch {
            throw PlayInputError(description: error.localizedDescription)
        }
    }

    private static func files(
        _ arguments: [String], _ format: LiveFormat?
    ) throws(PlayInputError) -> [String] {
        var paths: [String] = []
        for argument in arguments {
            if argument == PlayInput.standardInput || argument.contains("://") {
                paths.append(argument)
                continue
            }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
                throw PlayInputError(description: "there is no file '\(argument)'")
            }
            if !isFolder.boolValue {
                paths.append(argument)
                continue
            }
            guard format == nil else { throw notRaw("the folder '\(argument)'") }
            let found = music(in: argument)
            if found.isEmpty { throw PlayInputError(description: "there is no music in '\(argument)'") }
            paths += found
        }
        return paths
    }

    /// Returns whether a path is read once, from its beginning to its end: standard input, a named pipe, or any file of
    /// raw samples.
    private static func isPipe(_ path: String, _ format: LiveFormat?) throws(PlayInputError) -> Bool {
        if path == PlayInput.standardInput { return true }
        if path.contains("://") {
            guard format == nil else { throw notRaw("'\(path)'") }
            return false
        }
        var status = stat()
        let isFIFO = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        // Encoded music, read as samples, would be noise at full scale.
        let suffix = (path as NSString).pathExtension.lowercased()
        if format != nil, !isFIFO, extensions.contains(suffix) || TuttiPlaylist.isPlaylist(path) {
            throw notRaw("'\(path)'")
        }
        return isFIFO || format != nil
    }

    private static func notRaw(_ words: String) -> PlayInputError {
        PlayInputError(
            description:
                "--format is for raw samples on standard input, a pipe or in a file, not for \(words)")
    }

    /// Returns a folder's music sorted by path, with numbers in numeric order, without hidden files and folders.
    private static func music(in folder: String) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: folder) else { return [] }
        var found: [String] = []
        while let name = names.nextObject() as? String, found.count < limit {
            // Such as `._a.mp3`, which a Mac leaves beside the music.
            if name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
                names.skipDescendants()
                continue
            }
            let suffix = (name as NSString).pathExtension.lowercased()
            if extensions.contains(suffix) { found.append(name) }
        }
        return found.sorted { $0.compare($1, options: [.numeric, .caseInsensitive]) == .orderedAscending }
            .map { (folder as NSString).appendingPathComponent($0) }
    }
}

/// An error in a path of the command line.
struct PlayInputError: Error, CustomStringConvertible {
    let description: String
}
