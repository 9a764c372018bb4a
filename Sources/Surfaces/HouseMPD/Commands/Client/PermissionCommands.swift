/// The password, and the commands that are allowed with it and without.
struct PermissionCommands: Sendable {
    /// Commands that exist, and always fail.
    private static let unavailable: Set<String> = ["sticker", "listneighbors", "mount", "unmount"]

    /// Whether the client may do everything.
    private(set) var isTrusted: Bool
    private let password: String?

    /// - Parameter password: The password that clients must send; `nil` for none.
    init(password: String?) { (self.password, isTrusted) = (password, password == nil) }

    mutating func givePassword(_ text: String) throws(CommandError) {
        if let password {
            // Takes as long for each wrong password of a length.
            let (own, given) = (Array(password.utf8), Array(text.utf8))
            let difference = zip(own, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            guard own.count == given.count, difference == 0 else {
                throw CommandError(.password, "incorrect password")
            }
        } else {
            throw CommandError(.password, "incorrect password")
        }
        isTrusted = true
    }

    func listCommands(allowed: Bool, _ answer: inout AnswerWriter) {
        for command in CommandTable.commands.values.sorted(by: { $0.name < $1.name })
        where !Self.unavailable.contains(command.name) && (isTrusted || command.isOpen) == allowed {
            answer.add("command", command.name)
        }
    }
}
