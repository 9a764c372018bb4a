@testable import AirPlaySender

extension SpeakerGroup {
    /// Waits until no speaker is tried any more.
    func waitForEndOfAttempts() async {
        for member in members { await member.task?.value }
    }

    /// Waits until the streams have nothing to do: all is sent, or the speakers take no more.
    func waitForFilledStreams() async {
        for member in members {
            guard let session = member.session as? BufferedSession else { continue }
            while true {
                let progress = session.stream.progress()
                if progress.isDrained || progress.isFull { break }
                await Task.yield()
            }
        }
    }

    func progress(of name: String) async -> BufferedStream.Progress? {
        let session = members.first { $0.target.name == name }?.session as? BufferedSession
        return session?.stream.progress()
    }

    /// Waits until a stop is being carried out.
    func waitForStop() async {
        while true {
            if case .paused = plan.phase { return }
            await Task.yield()
        }
    }
}
