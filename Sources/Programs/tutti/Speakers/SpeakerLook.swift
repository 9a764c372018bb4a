import TuttiDiscovery
import TuttiSystemIO

/// A search of the network for a limited time.
enum SpeakerLook {
    /// Returns the speakers that answer within this time.
    ///
    /// - Parameter rest: The time after the first answer, if that is sooner. A speaker that answered another host within
    ///   the last second delays its next answer (RFC 6762, 6), so a search that must succeed takes longer.
    static func speakers(within time: Duration, rest: Duration? = nil) async throws -> [DiscoveredSpeaker] {
        let view = SpeakersView(style: .list)
        let events = try await ServiceBrowser(interface: nil).events(settling: .milliseconds(60))
        let (answers, answer) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingOldest(1))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in events {
                    _ = await view.show(event)
                    answer.yield()
                }
            }
            // The sleeps are cancelled only after another task has ended the look.
            group.addTask { await Task.pause(for: time) }
            if let rest {
                group.addTask {
                    for await _ in answers { break }
                    await Task.pause(for: rest)
                }
            }
            await group.next()
            group.cancelAll()
        }
        return await view.speakers
    }
}
