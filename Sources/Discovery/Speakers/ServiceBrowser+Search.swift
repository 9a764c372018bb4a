import SystemIO

extension ServiceBrowser {
    /// Looks for speakers by name and waits until all are there.
    ///
    /// - Parameters:
    ///   - names: as ``SpeakerDirectory/speaker(named:)`` takes them.
    ///   - limit: when to give up.
    /// - Returns: the speakers in the order of the names. One speaker may fit two names.
    /// - Throws: ``SpeakerLookupError`` for a name that leads nowhere or to several,
    ///   ``DiscoveryError`` when nobody can be asked, `CancellationError`.
    public func speakers(
        named names: [String], within limit: Duration = .seconds(4)
    ) async throws -> [DiscoveredSpeaker] {
        let events = try await preferring(names).events()
        let search = RunningSpeakerSearch(SpeakerSearch(names: names, limit: limit))
        return try await withThrowingTaskGroup(of: [DiscoveredSpeaker].self) { group in
            group.addTask { try await search.follow(events) }
            group.addTask { try await search.watchTheClock() }
            defer { group.cancelAll() }
            guard let found = try await group.next() else { throw CancellationError() }
            return found
        }
    }
}

extension ServiceBrowser {
    /// Looks for the speaker that listens at an address.
    ///
    /// - Parameters:
    ///   - address: as its records give it, with the port.
    ///   - limit: when to give up.
    /// - Returns: `nil` if no speaker with this address and port answers in time, or nobody can be asked.
    public func speaker(at address: SocketAddress, within limit: Duration) async -> DiscoveredSpeaker? {
        // Whole services: a speaker's two records become known one after the other.
        guard let events = try? await events(settling: .milliseconds(200)) else { return nil }
        return await withTaskGroup(of: DiscoveredSpeaker?.self) { group in
            group.addTask {
                var directory = SpeakerDirectory()
                for await event in events {
                    _ = directory.apply(event)
                    if let found = directory.speaker(at: address) { return found }
                }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

/// A search with a clock. Whichever task has the answer first ends it.
private actor RunningSpeakerSearch {
    private var search: SpeakerSearch
    private let start = ContinuousClock.now

    init(_ search: SpeakerSearch) { self.search = search }

    private var elapsed: Duration { ContinuousClock.now - start }

    func follow(_ events: AsyncStream<DiscoveryEvent>) async throws -> [DiscoveredSpeaker] {
        for await event in events {
            search.apply(event, at: elapsed)
            if let found = try answer() { return found }
        }
        throw CancellationError()
    }

    func watchTheClock() async throws -> [DiscoveredSpeaker] {
        while true {
            if let found = try answer() { return found }
            try await Task.sleep(for: Self.tick)
        }
    }

    /// Events move the time of the next decision, so the clock is looked at often rather than set.
    private static let tick = Duration.milliseconds(25)

    private func answer() throws(SpeakerLookupError) -> [DiscoveredSpeaker]? {
        switch search.answer(at: elapsed) {
        case .wait: return nil
        case .found(let speakers): return speakers
        case .failed(let error): throw error
        }
    }
}
