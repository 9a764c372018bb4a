// Names what is public and has no doc comment: UndocumentedSymbols FOLDER-OF-SYMBOL-GRAPHS
//
// A comment that a declaration takes over, from the protocol it fulfils, counts. What the compiler makes by itself
// has no place in a source and needs none; nor does the header of an extension.
import Foundation

struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Identifier: Decodable { let precise: String }
        struct Comment: Decodable {
            struct Line: Decodable { let text: String }
            let lines: [Line]
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

        var isDocumented: Bool {
            docComment?.lines.contains { !$0.text.allSatisfy(\.isWhitespace) } == true
        }
    }

    let symbols: [Symbol]
}

@main
struct UndocumentedSymbols {
    static func main() throws {
        guard let folder = CommandLine.arguments.dropFirst().first,
            let files = FileManager.default.enumerator(atPath: folder)
        else { fail("usage: UndocumentedSymbols FOLDER", status: 2) }
        var (count, missing) = (0, Set<String>())
        for case let file as String in files where file.hasSuffix(".symbols.json") {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(file))
            let symbols = try JSONDecoder().decode(SymbolGraph.self, from: data).symbols.filter(isOurs)
            count += symbols.count
            for symbol in symbols where !symbol.isDocumented { missing.insert(line(for: symbol)) }
        }
        guard count > 0 else { fail("no symbols in \(folder)", status: 2) }
        for line in missing.sorted() { print(line) }
        print("\(count) public declarations, \(missing.count) without a doc comment")
        if !missing.isEmpty { exit(1) }
    }

    static func isOurs(_ symbol: SymbolGraph.Symbol) -> Bool {
        symbol.location != nil && symbol.kind.identifier != "swift.extension"
            && !symbol.identifier.precise.contains("::SYNTHESIZED::")
    }

    /// As compilers do: `Sources/…/File.swift:12: error: Type.member`.
    static func line(for symbol: SymbolGraph.Symbol) -> String {
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
