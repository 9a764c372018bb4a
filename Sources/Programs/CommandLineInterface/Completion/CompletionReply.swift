/// The form of completions that the scripts of ``CompletionScript`` read: a line `files` or `words`, then a
/// word a line.
public enum CompletionReply {
    /// Returns the answer to zsh and fish, which quote words themselves: each word, and a note after a tab.
    public static func text(_ completion: Completion) -> String {
        lines(completion) { $0.note.isEmpty ? $0.value : "\($0.value)\t\(Printable.text($0.note))" }
    }

    /// Returns the answer to bash.
    ///
    /// - Parameters:
    ///   - line: The command line up to the cursor, which begins with the program's name.
    ///   - word: The last word as bash splits it: also at `=` and `:`, so bash replaces this part alone.
    public static func bash(
        line: String, word: String, answer: ([String], String) async -> Completion
    ) async -> String {
        let split = ShellWords(line)
        let completion = await answer(Array(split.words.dropFirst()), split.current)
        // Bash gives a lone `=` or `:` as the word, and replaces what follows it.
        let rest = word == "=" || word == ":" ? 0 : word.unicodeScalars.count
        let kept = ShellWords(String(split.raw.unicodeScalars.dropLast(rest)), isWord: true).current
        let hasOpenQuote = ["\"", "'"].contains(split.raw.unicodeScalars.first)
        return lines(completion) { candidate in
            if hasOpenQuote, split.quote != .none {
                return ShellWords.quoted(candidate.value, within: split.quote)
            }
            return Self.rest(of: candidate.value, after: kept).map { ShellWords.quoted($0, within: .none) }
        }
    }

    /// Returns the part of a word after a beginning that bash keeps, which may be typed in other capitals or in
    /// another form of Unicode; `nil` if the word does not begin so.
    private static func rest(of word: String, after kept: String) -> String? {
        let (scalars, start) = (word.unicodeScalars, kept.lowercased())
        guard !start.isEmpty else { return word }
        // Neither another form nor other capitals make a text more than three times as long.
        let ends = scalars.indices.prefix(3 * start.unicodeScalars.count).map(scalars.index(after:))
        let end = ends.first { end in
            String(scalars[..<end]).lowercased() == start
        }
        return end.map { String(scalars[$0...]) }
    }

    private static func lines(_ completion: Completion, _ line: (CompletionCandidate) -> String?) -> String {
        switch completion {
        case .files: "files\n"
        case .words(let candidates): (["words"] + candidates.compactMap(line)).joined(separator: "\n") + "\n"
        }
    }

    /// Returns the words of a fish or zsh command line: whole ones, and the last one, from which quotes are
    /// taken.
    public static func words(_ arguments: [String]) -> (words: [String], current: String) {
        guard let last = arguments.last else { return ([], "") }
        return (Array(arguments.dropLast()), ShellWords(last, isWord: true).current)
    }
}
