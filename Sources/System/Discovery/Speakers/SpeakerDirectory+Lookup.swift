import TuttiSystemIO

extension SpeakerDirectory {
    /// Returns the one speaker that a name stands for.
    ///
    /// Tries in this order: the exact name; the name in any case; the name of the pair of which only one half is
    /// known; the device id; the name of a half of a pair; the beginning of a name in any case. The first rule that matches any speaker decides, and must match only one.
    ///
    /// - Throws: ``SpeakerLookupError`` if no speaker or more than one matches.
    package func speaker(named name: String) throws(SpeakerLookupError) -> DiscoveredSpeaker {
        let all = speakers
        let folded = name.lowercased()
        let device = SpeakerID.digits(name).map(SpeakerID.device)
        let tests: [(DiscoveredSpeaker) -> Bool] = [
            { $0.name == name },
            { $0.name.lowercased() == folded },
            { $0.pair?.name.lowercased() == folded },
            { speaker in speaker.players.contains { $0.id == device } },
            { speaker in speaker.halves.contains { $0.name.lowercased() == folded } },
            { !folded.isEmpty && $0.name.lowercased().hasPrefix(folded) },
        ]
        for test in tests {
            let fitting = all.filter(test)
            if fitting.count > 1 { throw Self.ambiguous(name, fitting) }
            if let only = fitting.first { return only }
        }
        throw .notFound(name: name, known: all.map(\.name))
    }

    /// Returns the speaker with a service at this address; a service's own port applies to each of its
    /// addresses.
    package func speaker(at address: SocketAddress) -> DiscoveredSpeaker? {
        speakers.flatMap(\.players).first { speaker in
            [speaker.airplay, speaker.raop].contains { service in
                guard let service, service.port == address.port else { return false }
                return service.addresses.contains(address.address)
            }
        }
    }

    private static func ambiguous(_ name: String, _ fitting: [DiscoveredSpeaker]) -> SpeakerLookupError {
        .ambiguous(
            name: name,
            candidates: fitting.map { SpeakerLookupError.Candidate(name: $0.name, id: $0.id) })
    }
}
