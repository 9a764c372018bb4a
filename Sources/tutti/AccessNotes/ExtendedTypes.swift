/// Finds the types that headers of extensions mean.
struct ExtendedTypes {
    /// The declared types, dotted.
    let types: Set<String>
    /// The declared aliases, dotted, and what is written for them.
    let aliases: [String: [[String]]]

    /// Aliases of aliases beyond this are a circle.
    private static let deepest = 8
    /// More meanings than a name has; a limit for circles that also branch.
    private static let mostPaths = 16

    /// All paths that a name may have to the compiler.
    func paths(of name: ObjCName) -> [[String]] {
        guard name.extendedCount > 0 else { return [name.path] }
        let inner = name.path.dropFirst(name.extendedCount)
        return extended(Array(name.path.prefix(name.extendedCount))).map { $0 + inner }
    }

    private func extended(_ written: [String]) -> [[String]] {
        // A first word that no source declares may be a module, which access notes leave out, or the type
        // of another module.
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

    /// The type that a path means in a scope: the innermost one that is declared, or as it is written.
    private func declared(_ target: [String], in scope: [String]) -> [String] {
        for count in stride(from: scope.count, through: 0, by: -1) {
            let path = Array(scope.prefix(count)) + target
            if types.contains(key(path)) || aliases[key(path)] != nil { return path }
        }
        return target
    }

    private func key(_ path: some Collection<String>) -> String { path.joined(separator: ".") }
}
