import TuttiHouse
import TuttiHTTPService
import TuttiMusicLibrary

/// The routes of a zone's queue.
enum QueueRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        reading(context) + changing(context)
    }

    private static func reading(_ context: ServiceContext) -> [Route] {
        [
            Route(
                .get, "/zones/{zone}/queue", "Returns entries of the queue.", parameters: [.start, .count]
            ) { call in
                let start = call.number(.start)
                return .json(
                    try await context.house.queue(of: call.zone(), start..<start + call.number(.count)))
            },
            Route(
                .post, "/zones/{zone}/queue/save", "Stores the queue as a playlist of the library.",
                body: NameBody.self
            ) { call, body in
                let tracks = try await tracks(of: call.zone(), in: context.house)
                return .json([
                    "playlist": try await context.library.makePlaylist(name: body.name, tracks: tracks)
                ])
            },
        ]
    }

    private static func changing(_ context: ServiceContext) -> [Route] {
        [
            Route(.post, "/zones/{zone}/queue", "Adds items to the queue.", body: AddBody.self) {
                call, body in
                try await context.perform(.add(call.zone(), body.items, body.place), call)
            },
            Route(.delete, "/zones/{zone}/queue", "Removes all entries, and stops.") { call in
                try await context.perform(.clear(call.zone()), call)
            },
            Route(.post, "/zones/{zone}/queue/remove", "Removes entries.", body: EntriesBody.self) {
                call, body in
                try await context.perform(.remove(call.zone(), body.entries), call)
            },
            Route(
                .post, "/zones/{zone}/queue/move", "Moves entries before another one.", body: MoveBody.self
            ) { call, body in
                try await context.perform(.move(call.zone(), body.entries, before: body.before), call)
            },
            Route(.post, "/zones/{zone}/queue/{entry}/play", "Plays an entry from its beginning.") { call in
                try await context.perform(.jump(call.zone(), call.entry()), call)
            },
        ]
    }

    /// Reads a whole queue in parts.
    private static func tracks(
        of zone: ZoneID, in house: any HouseControlling
    ) async throws -> [PlayableTrack] {
        var tracks: [PlayableTrack] = []
        while tracks.count < HouseQueueLimits.entries {
            let start = tracks.count
            let page = try await house.queue(of: zone, start..<start + QueryParameter.countLimit)
            tracks += page.entries.map(\.track)
            if page.entries.isEmpty || tracks.count >= page.length { break }
        }
        return tracks
    }
}
