import TuttiDBus
import TuttiHouse
import TuttiMPRIS
import TuttiMusicLibrary

/// The execution of a desktop's commands by a zone.
struct ZoneCommands: Sendable {
    let zone: ZoneID
    let house: any HouseControlling

    /// Carries out a command.
    func perform(_ command: PlayerCommand) async -> BusReply {
        do throws(HouseError) {
            try await execute(command)
            return .values([])
        } catch {
            return .failure(BusFailure(Self.name(of: error.kind), error.description))
        }
    }

    private static func name(of kind: HouseError.Kind) -> BusFailure.Name {
        switch kind {
        case .notFound, .invalid: .invalidArguments
        case .limit: .limitsExceeded
        case .conflict, .unavailable: .failed
        }
    }

    private func execute(_ command: PlayerCommand) async throws(HouseError) {
        switch command {
        case .raise, .quit: break
        case .next: try await perform(.next(zone))
        case .previous: try await perform(.previous(zone))
        case .play: try await perform(.play(zone))
        case .pause: try await perform(.pause(zone))
        case .playPause: try await perform(.toggle(zone))
        case .stop: try await perform(.stop(zone))
        case .seek(let seconds): try await perform(.seek(zone, seconds: seconds))
        case .open(let address): try await perform(.add(zone, [try Self.item(address)], .now))
        case .setRate(let rate): try await perform(.setRate(zone, rate))
        case .setLoop(let loop):
            let mode: RepeatMode =
                switch loop {
                case .none: .off
                case .track: .one
                case .playlist: .all
                }
            try await perform(.setRepeat(zone, mode))
        case .setShuffle(let isOn): try await perform(.setShuffle(zone, isOn))
        case .setVolume(let volume): try await perform(.setZoneVolume(zone, volume * 100))
        case .addTrack(let address, let after, let plays): try await add(address, after: after, plays: plays)
        case .removeTrack(let path): try await perform(.remove(zone, [try Self.entry(path)]))
        case .goTo(let path): try await perform(.jump(zone, try Self.entry(path)))
        }
    }

    @discardableResult
    private func perform(_ command: HouseCommand) async throws(HouseError) -> CommandOutcome {
        try await house.perform(command, from: CommandOrigin(surface: "mpris"))
    }

    private func add(_ address: String, after path: String?, plays: Bool) async throws(HouseError) {
        let item = try Self.item(address)
        let place = try await place(after: path.map { path throws(HouseError) in try Self.entry(path) })
        let outcome = try await perform(.add(zone, [item], place))
        if plays, let first = outcome.entries.first { try await perform(.jump(zone, first)) }
    }

    /// Returns the place after an entry, or before all of them.
    private func place(after entry: EntryID?) async throws(HouseError) -> QueuePlace {
        guard let entry else {
            return try await house.queue(of: zone, 0..<1).entries.first.map { .before($0.id) } ?? .end
        }
        // The house knows the place of the current entry only; others are looked for, in steps.
        var start = 0
        while true {
            let page = try await house.queue(of: zone, start..<(start + Self.pageLength))
            if let index = page.entries.firstIndex(where: { $0.id == entry }) {
                if index + 1 < page.entries.count { return .before(page.entries[index + 1].id) }
                let next = page.start + page.entries.count
                return try await house.queue(of: zone, next..<(next + 1)).entries.first.map { .before($0.id) }
                    ?? .end
            }
            start += Self.pageLength
            guard start < page.length else {
                throw HouseError(.notFound, "The track is no longer in the list.")
            }
        }
    }

    private static let pageLength = 2_000

    private static func entry(_ path: String) throws(HouseError) -> EntryID {
        guard let entry = ZoneMapping.entry(of: path) else {
            throw HouseError(.notFound, "The track is not in the list.")
        }
        return entry
    }

    /// Returns the item of an address.
    static func item(_ address: String) throws(HouseError) -> LibraryItem {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        if scheme == "http" || scheme == "https" {
            return .location(scheme + address.dropFirst(scheme.count))
        }
        guard let path = FileAddress.path(of: address) else {
            throw HouseError(.invalid, "The address is neither a file of this machine nor a web address.")
        }
        return .location(path)
    }
}
