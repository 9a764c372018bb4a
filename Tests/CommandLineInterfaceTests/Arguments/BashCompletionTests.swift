import Foundation
import Testing

@testable import CommandLineInterface

@Suite(
    "Completion in bash",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "needs bash"))
struct BashCompletionTests {
    static let cases: [([String], [String])] = [
        (["tutti", "sec"], ["second"]),
        (["tutti", "--v"], ["--version"]),
        (["tutti", "first", "--mo"], ["--mode"]),
        (["tutti", "first", "--mode", ""], ["a", "b"]),
        (["tutti", "first", "-m", "b"], ["b"]),
        (["tutti", "second", "--"], ["--help"]),
        (["tutti", "second", "x"], []),
    ]

    @Test("offers what the declarations say", arguments: cases)
    func completes(words: [String], expected: [String]) throws {
        let script = BashCompletion.script(for: [
            InvocationTests.First.declaration, InvocationTests.Second.declaration,
        ])
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let probe = """
            \(script)
            COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
            _tutti
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        #expect(try Self.bash(probe).split(separator: "\n").map(String.init) == expected)
    }

    private static func bash(_ script: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", script]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
