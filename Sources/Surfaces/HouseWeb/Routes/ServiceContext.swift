import TuttiHouse
import TuttiHTTPService

/// The objects that the routes work on.
struct ServiceContext: Sendable {
    let house: any HouseControlling
    let library: any LibraryReading
    let access: AccessControl
    let hub: EventHub
    let demo: (any DemoControlling)?
    let about: AboutJSON
    let trustsLocal: Bool
    /// Whether nobody needs a token.
    var isOpen = false
    /// The sounds of clients; `nil` takes none.
    var uploads: UploadFolder?

    /// Carries out a command and answers with its effect.
    func perform(_ command: HouseCommand, _ call: RouteCall) async throws -> HTTPResponse {
        .json(OutcomeJSON(try await house.perform(command, from: call.origin)))
    }

    /// Whether a request may use the whole interface.
    func isAllowed(_ request: HTTPRequest) -> Bool {
        isOpen || trustsLocal && request.isLocal || access.admits(request)
    }
}

/// The answer of `GET /about`.
struct AboutJSON: Encodable, Sendable {
    let program = "Tutti"
    let name: String
    let version: String
    let host: String
    let demo: Bool?
}

/// The rooms of a demonstration, whose network can be cut.
package protocol DemoControlling: Sendable {
    /// Returns the rooms, and which of them are cut off now.
    func cuts() async -> [(room: RoomID, isCut: Bool)]

    /// Pulls or restores the plug of a room's network.
    func setCut(_ room: RoomID, _ isCut: Bool) async throws(HouseError)
}
