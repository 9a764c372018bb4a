import TuttiHouse
import TuttiHTTPService

/// The routes of zones, rooms and the house as a whole.
enum HouseRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        house(context) + zones(context) + settings(context) + sound(context) + rooms(context)
            + roomSound(context)
    }

    private static func house(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/house", "Returns the state of the house.") { _ in
                .json(HouseJSON(await context.house.snapshot()))
            },
            Route(
                .get, "/events", "Streams the changes of the house, as server-sent events.",
                parameters: [.after]
            ) { call in
                if call.request.method == .head { return HTTPResponse(events: EventStream()) }
                let last = call.request.headers["Last-Event-ID"] ?? call.text(.after)
                let stream = try await context.hub.listen(after: last, to: context.house)
                // The token may have been taken back meanwhile, before the hub had the stream.
                if !context.isAllowed(call.request) { stream.end() }
                return HTTPResponse(events: stream)
            },
        ]
    }

    private static func zones(_ context: ServiceContext) -> [Route] {
        let actions: [(String, String, @Sendable (ZoneID) -> HouseCommand)] = [
            ("play", "Plays the current entry, or the first one.", { .play($0) }),
            ("pause", "Pauses, and keeps the position.", { .pause($0) }),
            ("toggle", "Plays if paused, else pauses.", { .toggle($0) }),
            ("stop", "Pauses at the beginning of the entry, and releases the rooms.", { .stop($0) }),
            ("next", "Goes to the next entry.", { .next($0) }),
            ("previous", "Goes to the beginning of the entry, or to the previous entry.", { .previous($0) }),
        ]
        return [
            Route(.post, "/zones", "Makes a zone.", body: MakeZoneBody.self) { call, body in
                try await context.perform(.makeZone(name: body.name, rooms: body.rooms ?? []), call)
            },
            Route(.patch, "/zones/{zone}", "Gives a zone another name.", body: NameBody.self) { call, body in
                try await context.perform(.renameZone(call.zone(), body.name), call)
            },
            Route(.delete, "/zones/{zone}", "Removes a zone and its queue.") { call in
                try await context.perform(.removeZone(call.zone()), call)
            },
            Route(
                .post, "/zones/{zone}/transfer", "Moves playback to another zone.", body: TransferBody.self
            ) { call, body in
                try await context.perform(.transfer(call.zone(), to: body.to), call)
            },
        ]
            + actions.map { word, summary, command in
                Route(.post, "/zones/{zone}/\(word)", summary) { call in
                    try await context.perform(command(call.zone()), call)
                }
            }
    }

    private static func settings(_ context: ServiceContext) -> [Route] {
        [
            Route(.put, "/zones/{zone}/position", "Sets the position.", body: PositionBody.self) {
                call, body in
                try await context.perform(body.command(call.zone()), call)
            },
            Route(.put, "/zones/{zone}/rate", "Sets the rate.", body: RateBody.self) { call, body in
                try await context.perform(.setRate(call.zone(), body.rate), call)
            },
            Route(
                .put, "/zones/{zone}/shuffle", "Plays in random order, or in the queue's order.",
                body: ShuffleBody.self
            ) { call, body in
                try await context.perform(.setShuffle(call.zone(), body.on), call)
            },
            Route(
                .put, "/zones/{zone}/repeat", "Repeats nothing, one entry, or the queue.",
                body: RepeatBody.self
            ) { call, body in
                try await context.perform(.setRepeat(call.zone(), body.mode), call)
            },
            Route(
                .put, "/zones/{zone}/sleep", "Sets the sleep timer; an empty object turns it off.",
                body: SleepBody.self
            ) { call, body in
                try await context.perform(body.command(call.zone()), call)
            },
            Route(
                .put, "/zones/{zone}/volume", "Sets the volume of the loudest room; the others follow.",
                body: VolumeBody.self
            ) { call, body in
                try await context.perform(.setZoneVolume(call.zone(), body.percent), call)
            },
        ]
    }

    private static func sound(_ context: ServiceContext) -> [Route] {
        [
            Route(
                .put, "/zones/{zone}/levelling", "Plays tracks at the same loudness.",
                body: LevellingBody.self
            ) { call, body in
                try await context.perform(.setLevelling(call.zone(), body.mode), call)
            },
            Route(
                .put, "/zones/{zone}/input", "Plays an input of the zone instead of the queue.",
                body: InputBody.self
            ) { call, body in
                try await context.perform(.playInput(call.zone(), body.name), call)
            },
            Route(
                .put, "/zones/{zone}/crossfade", "Lets tracks overlap; 0 turns it off.",
                body: CrossfadeBody.self
            ) { call, body in
                try await context.perform(.setCrossfade(call.zone(), seconds: body.seconds), call)
            },
            Route(
                .put, "/zones/{zone}/sleep-fade",
                "Sets the time in which the sleep timer lowers the volume before it pauses.",
                body: SleepFadeBody.self
            ) { call, body in
                try await context.perform(.setSleepFade(call.zone(), seconds: body.seconds), call)
            },
        ]
    }

    private static func rooms(_ context: ServiceContext) -> [Route] {
        [
            Route(
                .put, "/rooms/{room}/zone", "Moves a room to a zone, while it plays.", body: RoomZoneBody.self
            ) { call, body in
                try await context.perform(.moveRoom(call.room, to: body.zone), call)
            },
            Route(.put, "/rooms/{room}/volume", "Sets a room's volume.", body: VolumeBody.self) {
                call, body in
                try await context.perform(.setRoomVolume(call.room, body.percent), call)
            },
            Route(
                .put, "/rooms/{room}/delay", "Sets the time by which a room plays later than the others.",
                body: DelayBody.self
            ) { call, body in
                try await context.perform(.setRoomDelay(call.room, milliseconds: body.milliseconds), call)
            },
            Route(
                .put, "/rooms/{room}/password", "Gives the password or PIN that a room needs.",
                body: PasswordBody.self
            ) { call, body in
                try await context.perform(.setRoomPassword(call.room, body.password), call)
            },
            Route(.delete, "/rooms/{room}", "Forgets an absent room.") { call in
                try await context.perform(.forgetRoom(call.room), call)
            },
        ]
    }

    private static func roomSound(_ context: ServiceContext) -> [Route] {
        [
            Route(
                .put, "/rooms/{room}/equalizer", "Sets a room's equaliser; null turns it off.",
                body: EqualizerBody.self
            ) { call, body in
                try await context.perform(.setRoomEqualizer(call.room, body.equalizer), call)
            },
            Route(
                .put, "/rooms/{room}/maximum", "Sets a room's maximum volume.", body: MaximumBody.self
            ) { call, body in
                try await context.perform(.setRoomMaximumVolume(call.room, body.percent), call)
            },
            Route(
                .put, "/rooms/{room}/night",
                "Turns night mode on or off: loud sound softer, soft sound louder.",
                body: NightBody.self
            ) { call, body in
                try await context.perform(.setRoomNightMode(call.room, body.on), call)
            },
        ]
    }
}
