import Foundation

/// Paths as text.
enum PathText {
    /// Returns an absolute path without `.`, `..`, doubled slashes and a slash at the end; `nil` for a path
    /// that is not absolute.
    static func standard(_ path: String) -> String? {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Returns whether a path is a folder or inside of it; both as ``standard(_:)``.
    static func isInside(_ path: String, _ folder: String) -> Bool {
        path == folder || folder == "/" || path.hasPrefix(folder + "/")
    }

    static func join(_ folder: String, _ name: String) -> String {
        folder == "/" ? "/" + name : folder + "/" + name
    }

    /// The last part of a path.
    static func name(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The folder of a path.
    static func folder(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Splits off the extension, with its dot, of the last part.
    static func split(_ path: String) -> (stem: String, ending: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[start...].lastIndex(of: "."), dot != start else { return (path, "") }
        return (String(path[..<dot]), String(path[dot...]))
    }

    /// The extension in lower case, without its dot.
    static func ending(_ path: String) -> String { String(split(path).ending.dropFirst()).lowercased() }

    /// The path with all symbolic links resolved; `nil` for a path that does not exist.
    static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// Whether a text is an address that begins with `http://` or `https://`.
    static func isAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
