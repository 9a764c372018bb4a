import Glibc

/// The meaning of folders that are not absolute.
struct ConfigurationPaths {
    /// The reason why a path has no meaning.
    struct Failure: Error {
        let objection: String
    }

    /// The user's home; `nil` if unknown.
    let home: String?
    /// The folder of the configuration file, with a slash at its end; `nil` for values from elsewhere.
    let base: String?

    /// Returns the value with absolute paths, if it is of a kind with paths.
    func expand(
        _ value: ConfigurationValue, _ kind: ConfigurationKind
    ) throws(Failure) -> ConfigurationValue {
        switch (kind, value) {
        case (.folder, .string(let path)), (.file, .string(let path)): return .string(try absolute(path))
        case (.list(.folder), .array(let elements)):
            var expanded: [ConfigurationValue] = []
            for element in elements { expanded.append(try expand(element, .folder)) }
            return .array(expanded)
        default: return value
        }
    }

    private func absolute(_ path: String) throws(Failure) -> String {
        if path.isEmpty || path.hasPrefix("/") { return path }
        if path == "~" || path.hasPrefix("~/") {
            guard let home, home.hasPrefix("/") else {
                throw Failure(objection: "begins with ~, but HOME is not set; write an absolute path")
            }
            return home + path.dropFirst()
        }
        guard let base, base.hasPrefix("/") else {
            throw Failure(objection: "must be an absolute path, or begin with ~/")
        }
        return base + path
    }

    /// Returns the folder of a file, with a slash at its end.
    static func folder(of path: String) -> String {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        guard !folder.hasPrefix("/"), let current = getcwd(nil, 0) else { return folder }
        defer { free(current) }
        return String(cString: current) + "/" + folder
    }
}
