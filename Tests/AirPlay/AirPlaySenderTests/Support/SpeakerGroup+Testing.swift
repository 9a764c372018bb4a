@testable import AirPlaySender

extension SpeakerGroup {
    /// Waits until all connection attempts have ended.
    func waitForEndOfAttempts() async {
        for member in members { await member.task?.value }
    }

    /// Waits until every stream is idle: all packets are sent, or the speaker is full.
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

    /// Gives commands of which none is carried out before the last one is given.
    func together(_ give: @Sendable () -> Void) { give() }

    func progress(of name: String) async -> BufferedStream.Progress? {
        let session = members.first { $0.target.name == name }?.session as? BufferedSession
        return session?.stream.progress()
    }

    /// Waits until the group has begun a stop.
    func waitForStop() async {
        while true {
            if case .paused = plan.phase { return }
            await Task.yield()
        }
    }
}
