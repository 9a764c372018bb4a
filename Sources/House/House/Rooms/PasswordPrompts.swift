/// The questions for rooms' passwords that wait for a user's answer.
struct PasswordPrompts {
    /// The time that a user has to enter a password or a PIN.
    static let patience = Duration.seconds(120)

    private var prompts: [RoomID: CheckedContinuation<String?, Never>] = [:]

    /// The rooms that have asked.
    var rooms: Set<RoomID> { Set(prompts.keys) }

    mutating func add(_ prompt: CheckedContinuation<String?, Never>, of room: RoomID) {
        prompts[room] = prompt
    }

    /// Answers the question for a room's password; `nil` cancels it.
    ///
    /// - Returns: Whether the room has asked.
    @discardableResult
    mutating func answer(_ password: String?, of room: RoomID) -> Bool {
        guard let prompt = prompts.removeValue(forKey: room) else { return false }
        prompt.resume(returning: password)
        return true
    }

    /// Cancels all questions.
    mutating func cancelAll() {
        for prompt in prompts.values { prompt.resume(returning: nil) }
        prompts = [:]
    }
}
