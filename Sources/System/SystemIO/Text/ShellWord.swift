/// Words for a command line that a user may copy.
package enum ShellWord {
    /// Quotes a word so that a shell takes it as it is: a speaker chooses its name, and must not choose commands.
    ///
    /// Looks at scalars, as a shell does: a mark that combines with a quote does not hide it.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
                || " .,:_-+()[]'&".unicodeScalars.contains($0)
        }
        if isPlain { return "\"\(word)\"" }
        let parts = word.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.map { String($0) }.joined(separator: "'\\''") + "'"
    }
}
