import TuttiHouse
import TuttiHTTPService

/// The routes of access, of the service itself, and of a demonstration.
enum ServiceRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        access(context) + about(context) + (context.demo.map(demo) ?? [])
    }

    private struct AccessJSON: Encodable {
        let isAllowed: Bool
        let isLocal: Bool
    }

    private static func access(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/access", "Returns whether this client may use the interface.", isOpen: true) {
                call in
                .json(
                    AccessJSON(
                        isAllowed: context.isAllowed(call.request), isLocal: call.request.isLocal))
            },
            Route(
                .post, "/access", "Gives a client access with the pairing code.", body: CodeBody.self,
                isOpen: true
            ) { _, body in
                let token = try context.access.token(for: body.code, at: .now)
                var response = HTTPResponse.json(["token": token])
                response.headers["Set-Cookie"] = AccessControl.cookie(token)
                return response
            },
            Route(
                .post, "/access/code",
                "Makes a pairing code, valid once and for five minutes, for a client that has access."
            ) { _ in .json(["code": context.access.makeCode()]) },
            Route(.delete, "/access", "Removes all tokens: each device needs a new code.") { _ in
                try context.access.revokeAll()
                return .done
            },
        ]
    }

    private static func about(_ context: ServiceContext) -> [Route] {
        [Route(.get, "/about", "Returns name and version of the service.") { _ in .json(context.about) }]
    }

    private struct DemoRoomJSON: Encodable {
        let room: RoomID
        let isCut: Bool
    }

    private static func demo(_ demo: any DemoControlling) -> [Route] {
        [
            Route(.get, "/demo", "Tells which rooms of the demonstration are cut off.") { _ in
                .json(["rooms": await demo.cuts().map { DemoRoomJSON(room: $0.room, isCut: $0.isCut) }])
            },
            Route(
                .put, "/demo/{room}", "Pulls or restores the plug of a room's network.", body: CutBody.self
            ) { call, body in
                try await demo.setCut(call.room, body.isCut)
                return .done
            },
        ]
    }
}
