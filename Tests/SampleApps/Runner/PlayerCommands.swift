import AVFoundation

/// `player`: a queue player of files and addresses, and a second one in the same program.
///
/// Commands are ``PlayerUnderTest``'s; `second COMMAND` is for the second player, which the first such command makes.
@MainActor
final class PlayerCommands: AppCommands {
    private let numbers = ItemNumbers()
    private let first: PlayerUnderTest
    private lazy var second = PlayerUnderTest("second", [], numbers)

    init(_ addresses: [URL]) {
        first = PlayerUnderTest("first", addresses, numbers)
        listen()
    }

    func perform(_ command: String, _ rest: String) throws {
        guard command == "second" else { return try first.perform(command, rest) }
        let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
        guard let word = words.first else { throw UsageError("second COMMAND") }
        try second.perform(word, words.count > 1 ? words[1] : "")
    }

    private func listen() {
        _ = NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
        ) { note in
            let type = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            let options = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt
            let began = AVAudioSession.InterruptionType.began.rawValue
            let resumes = AVAudioSession.InterruptionOptions(rawValue: options ?? 0).contains(.shouldResume)
            reportNow("interruption", ["began": type == began, "shouldResume": resumes])
        }
        _ = NotificationCenter.default.addObserver(
            forName: AVAudioSession.routeChangeNotification, object: nil, queue: nil
        ) { note in
            let reason = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
            reportNow("routeChange", ["reason": reason ?? 0])
        }
    }
}
