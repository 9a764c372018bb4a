import Foundation
import TuttiCommandLineInterface

/// The program `access-notes SOURCES...`: lets sources with `@objc` compile unchanged on Linux.
enum AccessNotesCommand: Command {
    static let declaration = CommandDeclaration(
        program: nil,
        name: "access-notes",
        summary: "Write the access notes with which sources that use @objc compile on Linux",
        discussion: """
            Reads Swift sources and writes the file for the compiler's option -access-notes-path,
            which takes @objc away from each declaration that has it; the sources stay as they are.
            Code that access notes cannot help, such as #selector, is a warning on standard error, with its
            file and line.
            See docs/access-notes.md.

              access-notes Sources/Player --output access-notes.yaml
            """,
        positionals: [
            PositionalDeclaration(
                name: "SOURCES", count: .oneOrMore, kind: .file,
                help: "Swift files, and folders with Swift files")
        ],
        options: [
            .value("output", short: "o", "FILE", .file, "The file to write; standard output by default")
        ])

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        var findings: [ObjCFindings] = []
        do {
            for path in try SwiftSources.files(at: arguments.positionals) {
                let found = ObjCScanner.findings(in: try SwiftSources.read(path))
                for warning in found.warnings { report(warning, in: path) }
                findings.append(found)
            }
        } catch {
            return complain(error.path, error.reason)
        }
        return write(AccessNotes(findings).yaml, to: arguments.value("output"))
    }

    /// Prints a warning in the compilers' format, so that editors find the line.
    private static func report(_ warning: ObjCWarning, in path: String) {
        StandardStream.error.line("\(Printable.text(path)):\(warning.line): warning: \(warning.text)")
    }

    private static func write(_ yaml: String, to path: String?) -> ExitStatus {
        guard let path else { return StandardStream.output.write(yaml) ? .success : .failure }
        let data = Data(yaml.utf8)
        // Leaves an up-to-date file untouched, so that build systems do not rebuild.
        if FileManager.default.contents(atPath: path) == data { return .success }
        do {
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
            return .success
        } catch {
            return complain(path, "cannot be written")
        }
    }

    private static func complain(_ path: String, _ reason: String) -> ExitStatus {
        StandardStream.error.line("access-notes: \(Printable.text(path)) \(reason)")
        return .failure
    }
}
