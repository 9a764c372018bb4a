import TuttiSystemIO

/// A warning about a refused sender, in words for the user.
struct TurnedAway: Sendable {
    /// Most warnings of one speaker.
    static let limit = 64

    let code: String
    let message: String
    /// Identifies the sender and the reason, to warn only once.
    let key: String

    init(address: IPAddress, _ refusal: ReceiverSession.Refusal) {
        switch refusal {
        case .airPlay1(let agent, let reason):
            code = "airplay-1-refused"
            let program = agent.map(Self.printable).flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
            message = "\(address)\(program) was refused: \(Self.words(for: reason))"
        case .wrongSecret:
            code = "wrong-password"
            message = "\(address) was refused: its password or PIN is wrong"
        }
        key = "\(code) \(address)"
    }

    /// - Parameter error: The error with which the system refused a part of the session.
    init(address: IPAddress, because error: SystemError) {
        code = "no-port"
        message = "\(address) was refused: this speaker cannot open a port for it (\(error))"
        key = "\(code) \(address)"
    }

    private static func words(for reason: AirPlay1Reason) -> String {
        switch reason {
        case .needsPairing: "it uses AirPlay 1, which cannot pair with this speaker"
        case .encrypted: "it encrypts its AirPlay 1 stream, for which this speaker has no key"
        case .format: "its AirPlay 1 stream is not 16-bit stereo at 44.1 kHz, as PCM or ALAC"
        }
    }

    /// Removes terminal control characters and limits the length to a line.
    private static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }).prefix(
                60))
    }
}
