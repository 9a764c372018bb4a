/// The addresses of songs: paths relative to the library's folder, or to one of several by its name.
struct MusicFolders: Sendable, Hashable {
    /// One of the library's folders. The name is empty if it is the only one.
    struct Root: Sendable, Hashable {
        var path: String
        var name: String
    }

    let roots: [Root]

    /// Takes absolute paths without a slash at the end. Folders of one name get numbers.
    init(_ paths: [String]) {
        guard paths.count > 1 else {
            roots = paths.map { Root(path: $0, name: "") }
            return
        }
        var taken: Set<String> = []
        roots = paths.map { path in
            let last = path.split(separator: "/").last.map(String.init) ?? "music"
            var (name, number) = (last, 1)
            while !taken.insert(name).inserted {
                number += 1
                name = "\(last) (\(number))"
            }
            return Root(path: path, name: name)
        }
    }

    /// Returns the address of a path; `nil` outside of the folders.
    func uri(path: String) -> String? {
        for root in roots {
            if path == root.path { return root.name }
            let base = root.path == "/" ? "/" : root.path + "/"
            guard path.hasPrefix(base) else { continue }
            let rest = path.dropFirst(base.count)
            return root.name.isEmpty ? String(rest) : "\(root.name)/\(rest)"
        }
        return nil
    }

    /// Returns the path of an address; `nil` for the list of several folders, and for an unknown folder.
    func path(uri: String) -> String? {
        for root in roots {
            if uri == root.name { return root.path }
            if root.name.isEmpty { return Self.join(root.path, uri[...]) }
            if uri.hasPrefix(root.name + "/") {
                return Self.join(root.path, uri.dropFirst(root.name.count + 1))
            }
        }
        return nil
    }

    private static func join(_ folder: String, _ rest: Substring) -> String {
        folder == "/" ? "/\(rest)" : "\(folder)/\(rest)"
    }
}

/// Addresses as clients write them.
enum SongAddress {
    /// Whether this is the address of a stream.
    static func isStream(_ uri: String) -> Bool {
        let start = uri.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// Whether this address has a scheme, such as `smb://`.
    static func hasScheme(_ uri: String) -> Bool { uri.contains("://") }

    /// Returns an address without slashes at both ends. Throws for absolute paths and steps upwards, which
    /// never lead to a song.
    static func folder(_ uri: String) throws(CommandError) -> String {
        if uri.isEmpty || uri == "/" { return "" }
        guard !uri.hasPrefix("/"), !uri.split(separator: "/").contains("..") else {
            throw CommandError.noFolder
        }
        return uri.hasSuffix("/") ? String(uri.dropLast()) : uri
    }
}
