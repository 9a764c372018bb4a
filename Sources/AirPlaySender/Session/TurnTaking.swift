/// Lets tasks of one actor do things of several awaits one after the other, in the order they came.
struct TurnTaking {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// True: it is the caller's turn. False: the caller has to ``wait(_:)``, without an await in between.
    mutating func begin() -> Bool {
        guard isTaken else {
            isTaken = true
            return true
        }
        return false
    }

    /// `continuation` is resumed when its turn has come.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) { waiting.append(continuation) }

    /// Ends a turn; the next one begins.
    mutating func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
