/// Text for generated files.
package enum WrappedText {
    /// Breaks a text at spaces into lines of at most `limit` characters; a longer word has a line of its own.
    package static func lines(_ text: String, limit: Int) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            guard let last = lines.last, last.count + 1 + word.count <= limit else {
                return lines.append(String(word))
            }
            lines[lines.count - 1] = "\(last) \(word)"
        }
    }
}
