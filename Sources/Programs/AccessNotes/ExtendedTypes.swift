/// A resolver for the types named in extension headers.
struct ExtendedTypes {
    /// The declared types, as dotted paths.
    let types: Set<String>
    /// The declared aliases, as dotted paths, with their targets as written.
    let aliases: [String: [[String]]]

    /// The longest chain of aliases; a longer one is circular.
    private static let deepest = 8
    /// The most meanings of a name; limits circular aliases that also branch.
    private static let mostPaths = 16

    /// Returns all paths by which the compiler may know a name.
    func paths(of name: ObjCName) -> [[String]] {
        guard name.extendedCount > 0 else { return [name.path] }
        let inner = name.path.dropFirst(name.extendedCount)
        return extended(Array(name.path.prefix(name.extendedCount))).map { $0 + inner }
    }

    private func extended(_ written: [String]) -> [[String]] {
        // A first component that no source declares is a module, which access notes omit, or another module's
        // type.
        resolved(written).flatMap { path -> [[String]] in
            guard path.count > 1, let first = path.first, !types.contains(first) else { return [path] }
            return [path] + resolved(Array(path.dropFirst()))
        }
    }

    private func resolved(_ written: [String]) -> [[String]] {
        var paths = [written]
        for _ in 0..<Self.deepest {
            let next = Array(paths.flatMap(withoutFirstAlias).prefix(Self.mostPaths))
            if next == paths { break }
            paths = next
        }
        return paths
    }

    private func withoutFirstAlias(_ path: [String]) -> [[String]] {
        for count in path.indices.map({ $0 + 1 }) {
            guard let targets = aliases[key(path.prefix(count))] else { continue }
            return targets.map { declared($0, in: Array(path.prefix(count - 1))) + path.dropFirst(count) }
        }
        return [path]
    }

    /// Resolves a path in a scope to the innermost declared type; returns the path as written if there is
    /// none.
    private func declared(_ target: [String], in scope: [String]) -> [String] {
        for count in stride(from: scope.count, through: 0, by: -1) {
            let path = Array(scope.prefix(count)) + target
            if types.contains(key(path)) || aliases[key(path)] != nil { return path }
        }
        return target
    }

    private func key(_ path: some Collection<String>) -> String { path.joined(separator: ".") }
}
