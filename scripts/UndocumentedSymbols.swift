// Lists public and package declarations without a doc comment: UndocumentedSymbols FOLDER-OF-SYMBOL-GRAPHS
//
// An inherited comment counts if it belongs to a protocol or class of these modules. Declarations synthesized by the
// compiler have no location in a source and need no comment; nor do extensions.
import Foundation

struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Identifier: Decodable { let precise: String }
        struct Comment: Decodable {
            struct Line: Decodable { let text: String }
            let lines: [Line]
            /// The module in which the comment was written.
            let module: String?
        }
        struct Location: Decodable {
            struct Position: Decodable { let line: Int }
            let uri: String
            let position: Position
        }

        let kind: Kind
        let identifier: Identifier
        let pathComponents: [String]
        let docComment: Comment?
        let location: Location?

        func isDocumented(by modules: Set<String>) -> Bool {
            guard let comment = docComment, modules.contains(comment.module ?? "") else { return false }
            return comment.lines.contains { !$0.text.allSatisfy(\.isWhitespace) }
        }
    }

    struct Module: Decodable { let name: String }

    let module: Module
    let symbols: [Symbol]
}

@main
struct UndocumentedSymbols {
    static func main() throws {
        guard let folder = CommandLine.arguments.dropFirst().first,
            let files = FileManager.default.enumerator(atPath: folder)
        else { fail("usage: UndocumentedSymbols FOLDER", status: 2) }
        var symbols: [SymbolGraph.Symbol] = []
        var modules: Set<String> = []
        for case let file as String in files where file.hasSuffix(".symbols.json") {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(file))
            let graph = try JSONDecoder().decode(SymbolGraph.self, from: data)
            symbols += graph.symbols.filter(isOurs)
            modules.insert(graph.module.name)
        }
        guard !symbols.isEmpty else { fail("no symbols in \(folder)", status: 2) }
        let missing = Set(symbols.filter { !$0.isDocumented(by: modules) }.map(line))
        for line in missing.sorted() { print(line) }
        print("\(symbols.count) public and package declarations, \(missing.count) without a doc comment")
        if !missing.isEmpty { exit(1) }
    }

    static func isOurs(_ symbol: SymbolGraph.Symbol) -> Bool {
        symbol.location != nil && symbol.kind.identifier != "swift.extension"
            && !symbol.identifier.precise.contains("::SYNTHESIZED::")
    }

    /// Formats a message as compilers do: `Sources/…/File.swift:12: error: Type.member`.
    static func line(_ symbol: SymbolGraph.Symbol) -> String {
        let name = symbol.pathComponents.joined(separator: ".")
        guard let location = symbol.location else { return name }
        let path = URL(string: location.uri)?.path ?? location.uri
        let here = FileManager.default.currentDirectoryPath + "/"
        let shown = path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
        return "\(shown):\(location.position.line + 1): error: \(name) has no doc comment"
    }

    static func fail(_ text: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(status)
    }
}
