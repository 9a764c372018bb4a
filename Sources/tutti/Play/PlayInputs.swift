import Codecs
import Foundation

/// Files, folders and addresses of the command line, as a list of things to play.
enum PlayInputs {
    /// Names that a folder is searched for. A file that is named itself may be called anything.
    private static let extensions: Set<String> = [
        "aac", "adts", "aif", "aifc", "aiff", "alac", "flac", "m4a", "m4b", "mp3", "mp4", "oga", "ogg",
        "opus", "wav",
        "wave", "wma", "mka", "ape", "wv",
    ]
    /// More than anyone plays, few enough to hold.
    private static let limit = 100_000

    /// - Throws: a line for the user when something named is not there or holds no music.
    ///
    /// Lists are looked into, those that a list names are not. May wait for a network.
    static func expand(_ arguments: [String]) throws(PlayInputError) -> [PlayInput] {
        var inputs: [PlayInput] = []
        for path in try files(arguments) {
            guard PlaylistFile.isPlaylist(path) else {
                inputs.append(PlayInput(path: path))
                continue
            }
            inputs += try entries(of: path)
            if inputs.count > limit { inputs.removeLast(inputs.count - limit) }
        }
        return inputs
    }

    /// What a list names, or what is no list and plays by itself.
    static func entries(of path: String) throws(PlayInputError) -> [PlayInput] {
        do {
            guard let list = try PlaylistFile.read(path) else { return [PlayInput(path: path)] }
            if list.entries.isEmpty { throw PlayInputError(description: "there is nothing in '\(path)'") }
            return list.entries.map { PlayInput(path: $0.location, title: $0.title) }
        } catch let error as PlayInputError {
            throw error
        } catch {
            throw PlayInputError(description: "\(error)")
        }
    }

    private static func files(_ arguments: [String]) throws(PlayInputError) -> [String] {
        var paths: [String] = []
        for argument in arguments {
            if argument.contains("://") {
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
            let found = music(in: argument)
            if found.isEmpty { throw PlayInputError(description: "there is no music in '\(argument)'") }
            paths += found
        }
        return paths
    }

    /// By name, numbers in their order, folders in theirs.
    private static func music(in folder: String) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: folder) else { return [] }
        var found: [String] = []
        while let name = names.nextObject() as? String, found.count < limit {
            let suffix = (name as NSString).pathExtension.lowercased()
            if extensions.contains(suffix) { found.append(name) }
        }
        return found.sorted { $0.compare($1, options: [.numeric, .caseInsensitive]) == .orderedAscending }
            .map { (folder as NSString).appendingPathComponent($0) }
    }
}

/// What is wrong with a path of the command line.
struct PlayInputError: Error, CustomStringConvertible {
    let description: String
}
