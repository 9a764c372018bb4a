/// A command line that makes no sense, in one line that says what to do about it.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
