import TuttiSystemIO

extension ServiceBrowser {
    /// Searches for speakers by name and waits until all are found.
    ///
    /// - Parameters:
    ///   - names: Names in the forms that ``SpeakerDirectory/speaker(named:)`` accepts.
    ///   - limit: The deadline, at which the search accepts what is known, or fails.
    /// - Returns: The speakers in the order of the names. One speaker may match two names.
    /// - Throws: ``SpeakerLookupError`` if a name matches no speaker or several, ``DiscoveryError`` if the
    ///   network cannot be searched, `CancellationError`.
    package func speakers(
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
    /// Searches for the speaker at an address.
    ///
    /// - Parameters:
    ///   - address: The address and the port, as the speaker's records state them.
    ///   - limit: The time after which the search fails.
    /// - Returns: `nil` if no speaker with this address and port answers in time, or if the network cannot be
    ///   searched.
    package func speaker(at address: SocketAddress, within limit: Duration) async -> DiscoveredSpeaker? {
        // Coalesce into whole services, because a speaker's two records arrive one after the other.
        guard let events = try? await events(settling: .milliseconds(200)) else { return nil }
        return await withTaskGroup(of: DiscoveredSpeaker?.self) { group in
            group.addTask {
                var directory = SpeakerDirectory()
                for await event in events {
                    _ = directory.apply(event)
                    // Without the record of AirPlay 2 it would be played to by AirPlay 1.
                    if let found = directory.speaker(at: address), !found.receiver.lacksAirPlay2Record {
                        return found
                    }
                }
                return nil
            }
            group.addTask {
                await Task.pause(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

/// A search with a deadline. The first task that has the answer ends the search.
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

    /// The polling interval; events move the time of the next decision, so polling replaces a timer.
    private static let tick = Duration.milliseconds(25)

    private func answer() throws(SpeakerLookupError) -> [DiscoveredSpeaker]? {
        switch search.answer(at: elapsed) {
        case .wait: return nil
        case .found(let speakers): return speakers
        case .failed(let error): throw error
        }
    }
}
