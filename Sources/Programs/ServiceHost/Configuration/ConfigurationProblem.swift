import TuttiCommandLineInterface

/// A mistake in the configuration, in a sentence that says what to do.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// The place of a mistake.
    package enum Place: Hashable, Sendable {
        /// The file as a whole.
        case file
        /// A place in the file; both numbers count from 1, columns in Unicode scalars.
        case position(line: Int, column: Int)
        /// An environment variable.
        case variable(String)
    }

    /// The place.
    package let place: Place
    /// The sentence, without the place.
    package let message: String

    /// Creates a problem; makes control characters of the message printable, and cuts a long one.
    init(_ place: Place, _ message: String) {
        let isLong = message.unicodeScalars.count > Self.lengthLimit
        let text = isLong ? String(message.unicodeScalars.prefix(Self.lengthLimit)) + "…" : message
        (self.place, self.message) = (place, Printable.text(text))
    }

    /// The line in the file; `nil` for a mistake that is not in a line.
    package var line: Int? {
        guard case .position(let line, _) = place else { return nil }
        return line
    }

    /// The place and the sentence: `line 7, column 8: dates are not supported; write a string`.
    package var description: String {
        switch place {
        case .file: message
        case .position(let line, let column): "line \(line), column \(column): \(message)"
        case .variable(let name): "\(name) \(message)"
        }
    }

    /// A message can have a name or a path of the file in it, of any length.
    private static let lengthLimit = 500
}

/// The mistakes that keep a configuration from being used: all of them, up to a limit.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file; `nil` without one.
    package let path: String?
    /// The mistakes: those of the file by line, then those of the environment; never empty.
    package let problems: [ConfigurationProblem]

    /// Creates an error; keeps the first ``problemLimit`` problems.
    init(path: String?, problems: [ConfigurationProblem]) {
        self.path = path
        let surplus = problems.count - Self.problemLimit
        self.problems =
            problems.prefix(Self.problemLimit)
            + (surplus > 0 ? [ConfigurationProblem(.file, "\(surplus) more; correct these first")] : [])
    }

    /// One line for each mistake, with the file's name before those of the file.
    package var lines: [String] {
        problems.map { problem in
            guard let path, problem.line != nil else { return problem.description }
            return "\(Printable.text(path)), \(problem)"
        }
    }

    package var description: String { lines.joined(separator: "\n") }

    /// More mistakes than this do not fit on a screen.
    static let problemLimit = 20
}
