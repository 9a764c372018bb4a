/// The terminal that the picker uses for output and input.
protocol PickerTerminal: AnyObject, Sendable {
    /// Writes text without blocking for long. Never fails: a lost terminal ends the next read instead.
    func write(_ text: String)

    /// Returns the next line without its line end. Supports one call at a time.
    ///
    /// - Parameter isSecret: Whether to disable echo and discard input typed before the call.
    /// - Returns: `nil` at the end of the input, if the user cancels, and if the task is cancelled.
    func readLine(isSecret: Bool) async -> String?
}
