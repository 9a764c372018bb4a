/// Where the terminal picker writes and reads.
protocol PickerTerminal: AnyObject, Sendable {
    /// Never waits for long, never fails: a terminal that is gone shows in reading.
    func write(_ text: String)

    /// The next line, without its end. One call at a time.
    ///
    /// - Parameter isSecret: whether what is typed stays invisible, and must not have been typed before.
    /// - Returns: `nil` at the end of the input, when the user gives up a secret, and when the task is
    ///   cancelled.
    func readLine(isSecret: Bool) async -> String?
}
