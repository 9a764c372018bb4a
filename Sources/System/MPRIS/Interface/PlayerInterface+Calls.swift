import TuttiDBus

/// The methods of the player and of its list of tracks. As MPRIS has it, a call that the player cannot obey
/// now has no effect, and is no error.
extension PlayerInterface {
    func playerCall(
        _ method: String, _ arguments: [BusValue], at now: SuspendingClock.Instant
    ) -> PlayerAction {
        guard state.canControl else { return .done }
        switch (method, arguments.first) {
        case ("Next", _): return state.canGoNext ? .perform(.next) : .done
        case ("Previous", _): return state.canGoPrevious ? .perform(.previous) : .done
        case ("Pause", _): return state.canPause ? .perform(.pause) : .done
        case ("Play", _): return state.canPlay ? .perform(.play) : .done
        case ("Stop", _): return .perform(.stop)
        case ("PlayPause", _):
            guard state.canPause || state.canPlay else {
                return .fail(.notSupported, "There is nothing to play or to pause.")
            }
            return .perform(.playPause)
        case ("Seek", .int64(let offset)): return seek(by: offset, at: now)
        case ("SetPosition", .objectPath(let track)):
            guard case .int64(let position) = arguments[1] else { return .done }
            return setPosition(position, in: track)
        case ("OpenUri", .string(let address)):
            return open(address).map { .perform(.open(address: $0)) } ?? refused
        default: return .done
        }
    }

    private func seek(by offset: Int64, at now: SuspendingClock.Instant) -> PlayerAction {
        guard state.canSeek else { return .done }
        let target = state.seconds(at: now) + Double(offset) / 1e6
        if let length = state.track?.length, target > length {
            // Beyond the end is the next track.
            return state.canGoNext ? .perform(.next) : .perform(.seek(seconds: length))
        }
        return .perform(.seek(seconds: max(0, target)))
    }

    private func setPosition(_ position: Int64, in track: String) -> PlayerAction {
        // A late call for another track, and a position outside of this one, have no effect.
        guard state.canSeek, let current = state.track, current.id == track, position >= 0 else {
            return .done
        }
        let seconds = Double(position) / 1e6
        if let length = current.length, seconds > length { return .done }
        return .perform(.seek(seconds: seconds))
    }

    /// Returns an address of a kind that the player opens; `nil` for others.
    private func open(_ address: String) -> String? {
        guard address.utf8.count <= 4_096, let colon = address.firstIndex(of: ":") else { return nil }
        let scheme = address[..<colon].lowercased()
        return state.schemes.contains(scheme) ? address : nil
    }

    private var refused: PlayerAction {
        let kinds = state.schemes.isEmpty ? "no addresses" : state.schemes.joined(separator: ", ")
        return .fail(.invalidArguments, "The player opens addresses of these kinds: \(kinds).")
    }

    /// Tells the metadata of known tracks in the order of the question, each once.
    private func metadata(of ids: [String], in tracks: [PlayerTrack]) -> PlayerAction {
        var known = Dictionary(tracks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var (found, bytes): ([BusValue], Int) = ([], 0)
        for id in ids {
            guard let track = known.removeValue(forKey: id) else { continue }
            let metadata = BusValue.properties(track.metadata)
            bytes += metadata.byteCount
            guard bytes < BusLimits.replyBytes else {
                return .fail(
                    .limitsExceeded,
                    "The metadata of so many tracks has more than \(BusLimits.replyBytes) bytes. "
                        + "Ask for fewer.")
            }
            found.append(metadata)
        }
        return .reply(.values([.array(of: "a{sv}", found)]))
    }

    func trackListCall(_ method: String, _ arguments: [BusValue]) -> PlayerAction {
        let tracks = state.tracks ?? []
        switch (method, arguments.first) {
        case ("GetTracksMetadata", .array(_, let ids)):
            guard ids.count <= PlayerState.trackLimit else {
                return .fail(.limitsExceeded, "Ask for at most \(PlayerState.trackLimit) tracks.")
            }
            return metadata(of: ids.compactMap(\.text), in: tracks)
        case ("AddTrack", .string(let address)):
            guard state.canEditTracks, state.canControl else { return .done }
            guard let address = open(address) else { return refused }
            guard case .objectPath(let after) = arguments[1], case .boolean(let plays) = arguments[2] else {
                return .done
            }
            if after == PlayerTrack.none {
                return .perform(.addTrack(address: address, after: nil, plays: plays))
            }
            guard tracks.contains(where: { $0.id == after }) else {
                return .fail(.invalidArguments, "The list has no track \(Self.quoted(after)).")
            }
            return .perform(.addTrack(address: address, after: after, plays: plays))
        case ("RemoveTrack", .objectPath(let id)):
            guard state.canEditTracks, state.canControl, tracks.contains(where: { $0.id == id }) else {
                return .done
            }
            return .perform(.removeTrack(id))
        case ("GoTo", .objectPath(let id)):
            return state.canControl && tracks.contains { $0.id == id } ? .perform(.goTo(id)) : .done
        default:
            return .done
        }
    }
}
