internal import SystemIO

/// A refused sender, in words for the user.
struct TurnedAway: Sendable {
    /// Warnings of one speaker.
    static let limit = 64

    let code: String
    let message: String
    /// The same for the same sender and reason.
    let key: String

    init(address: IPAddress, _ refusal: ReceiverSession.Refusal) {
        switch refusal {
        case .airPlay1(let agent):
            code = "airplay-1-refused"
            let program = agent.map(Self.printable).flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
            message =
                "\(address)\(program) was turned away: it speaks AirPlay 1, and this speaker receives AirPlay 2 only"
        case .wrongSecret:
            code = "wrong-password"
            message = "\(address) was turned away: its password or PIN is wrong"
        }
        key = "\(code) \(address)"
    }

    /// Nothing that a terminal would take for a command, and no more than a line.
    private static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }).prefix(
                60))
    }
}
