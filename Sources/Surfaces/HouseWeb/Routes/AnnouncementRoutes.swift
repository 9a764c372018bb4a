import TuttiHouse
import TuttiHTTPService

/// The routes of announcements.
enum AnnouncementRoutes {
    /// The path whose bodies may be long.
    static let uploadPath = "/api/v1/announcements"
    /// The types of an uploaded sound, besides `audio/…`.
    private static let soundTypes = ["audio/*", "application/octet-stream"]

    static func routes(_ context: ServiceContext) -> [Route] {
        var announce = Route(
            .post, "/announcements",
            "Plays an announcement: a file of the library or a web address, or the body itself.",
            parameters: [.announcementRooms, .announcementVolume, .announcementPause, .announcementTitle]
        ) { call in
            let type = mediaType(call.request)
            if type.hasPrefix("audio/") || type == "application/octet-stream" {
                return try await upload(call, context)
            }
            guard type.isEmpty || type == "application/json" else {
                throw Problem(
                    status: 415, code: "invalid",
                    detail: "The body must be JSON, or a sound with a Content-Type such as audio/wav.")
            }
            let body = try BodyDecoding.decode(AnnounceBody.self, from: call.request.body)
            return try await context.perform(.announce(body.request), call)
        }
        announce.body = AnnounceBody.schema
        announce.bodyTypes = soundTypes
        return [
            announce,
            Route(.get, "/announcements", "Lists the current and the waiting announcements.") { _ in
                .json(["announcements": await context.house.snapshot().announcements])
            },
            Route(
                .delete, "/announcements/{announcement}",
                "Ends an announcement, or removes a waiting one."
            ) { call in
                try await context.perform(.cancelAnnouncement(call.announcement()), call)
            },
        ]
    }

    /// The type of a request's body, without parameters; empty if the client states none.
    private static func mediaType(_ request: HTTPRequest) -> String {
        let field = request.headers["Content-Type"] ?? ""
        return String(field.prefix { $0 != ";" && $0 != " " }).lowercased()
    }

    /// Returns the rooms that values of the query name: a value is one id, also one with commas, or several with commas
    /// between them.
    private static func rooms(_ values: [String], known: Set<RoomID>) -> [RoomID] {
        values.flatMap { value -> [RoomID] in
            let id = RoomID(rawValue: value)
            if known.contains(id) { return [id] }
            return value.split(separator: ",").map { RoomID(rawValue: String($0)) }
        }
    }

    /// Stores the body in a file of the house, and announces it.
    private static func upload(_ call: RouteCall, _ context: ServiceContext) async throws -> HTTPResponse {
        guard let uploads = context.uploads else {
            throw Problem(
                status: 503, code: "unavailable", detail: "This service accepts no uploads; give a location.")
        }
        guard !call.request.body.isEmpty else { throw Problem.invalid("The sound is empty.") }
        var request = AnnouncementRequest(location: "", isTemporary: true)
        request.title = call.text(.announcementTitle) ?? "Announcement"
        let known = await context.house.snapshot().rooms.map(\.id)
        request.rooms = rooms(call.texts(.announcementRooms), known: Set(known))
        request.volume = call.text(.announcementVolume).flatMap { Double($0) }
        request.pausesMusic = call.text(.announcementPause) == "true"
        request.location = try await uploads.store(call.request.body)
        do {
            return try await context.perform(.announce(request), call)
        } catch {
            // The house has refused the announcement.
            await uploads.remove(request.location)
            guard let refusal = error as? HouseError else { throw error }
            // The house names the file; the client knows the title.
            let name = request.location.split(separator: "/").last.map(String.init) ?? ""
            let title = "“\(request.title ?? "The sound")”"
            throw HouseError(refusal.kind, refusal.description.replacing(name, with: title))
        }
    }
}

extension QueryParameter {
    static let announcementRooms = QueryParameter(
        "rooms", .texts(limit: 4_096),
        "For an uploaded sound: a room's id, which may have commas, or several ids without commas, separated by "
            + "commas. Repeat it for more rooms; all rooms without it.")
    static let announcementVolume = QueryParameter(
        "volume", .optionalNumber(0...100), "For an uploaded sound: percent, during the announcement.")
    static let announcementPause = QueryParameter(
        "pause", .choice(["false", "true"], standard: "false"),
        "For an uploaded sound: whether the music waits.")
    static let announcementTitle = QueryParameter(
        "title", .text(limit: 400), "For an uploaded sound: the name to show.")
}
