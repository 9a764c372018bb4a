import TuttiHouse
import TuttiHTTPService

/// A request that a route has matched.
struct RouteCall: Sendable {
    let request: HTTPRequest
    /// The values of the path.
    let values: [String: String]
    let parameters: [QueryParameter]

    /// The author of commands.
    var origin: CommandOrigin { CommandOrigin(surface: "web", author: "\(request.peer.address)") }

    /// The zone in the path.
    func zone() throws(Problem) -> ZoneID { ZoneID(rawValue: Int(try number("zone", "zone"))) }

    /// The entry in the path.
    func entry() throws(Problem) -> EntryID { EntryID(rawValue: try number("entry", "entry")) }

    /// The room in the path.
    var room: RoomID { RoomID(rawValue: values["room"] ?? "") }

    /// The announcement in the path.
    func announcement() throws(Problem) -> AnnouncementID {
        AnnouncementID(rawValue: Int(try number("announcement", "announcement")))
    }

    /// The alarm in the path.
    func alarm() throws(Problem) -> AlarmID { AlarmID(rawValue: Int(try number("alarm", "alarm"))) }

    /// The item's id in the path.
    func id(of kind: String) throws(Problem) -> Int64 { try number("id", kind) }

    private func number(_ name: String, _ kind: String) throws(Problem) -> Int64 {
        let text = values[name] ?? ""
        guard let number = Int64(text), number > 0, number <= Int64(Int32.max) * 1_000_000 else {
            throw .notFound("There is no \(kind) “\(text.prefix(40))”.")
        }
        return number
    }

    /// The number of a query parameter that the route has declared.
    func number(_ parameter: QueryParameter) -> Int {
        guard case .number(_, let standard) = parameter.kind else { return 0 }
        return request.target.value(parameter.name).flatMap { Int($0) } ?? standard
    }

    /// The text of a query parameter; `nil` without it.
    func text(_ parameter: QueryParameter) -> String? { request.target.value(parameter.name) }

    /// The texts of a query parameter that may be repeated.
    func texts(_ parameter: QueryParameter) -> [String] {
        request.target.query.filter { $0.name == parameter.name }.map(\.value)
    }
}

/// A route of the interface. The dispatch, the OpenAPI document and the page `/docs` come from it.
struct Route: Sendable {
    typealias Handler = @Sendable (RouteCall) async throws -> HTTPResponse

    let method: HTTPMethod
    let pattern: RoutePattern
    let summary: String
    var parameters: [QueryParameter] = []
    var body: Schema?
    /// The types of further bodies, which are no JSON.
    var bodyTypes: [String] = []
    /// Whether clients may ask without a token.
    var isOpen = false
    let handler: Handler

    /// Makes a route without a body.
    init(
        _ method: HTTPMethod, _ pattern: String, _ summary: String, parameters: [QueryParameter] = [],
        isOpen: Bool = false, handler: @escaping Handler
    ) {
        (self.method, self.pattern, self.summary) = (method, RoutePattern(pattern), summary)
        (self.parameters, self.isOpen, self.handler) = (parameters, isOpen, handler)
    }

    /// Makes a route with a JSON body.
    init<Body: RequestBody>(
        _ method: HTTPMethod, _ pattern: String, _ summary: String, body: Body.Type, isOpen: Bool = false,
        handler: @escaping @Sendable (RouteCall, Body) async throws -> HTTPResponse
    ) {
        self.init(method, pattern, summary, isOpen: isOpen) { call in
            try await handler(call, try BodyDecoding.decode(Body.self, from: call.request.body))
        }
        self.body = Body.schema
    }
}

/// All routes below one base path.
struct RouteTable: Sendable {
    /// The target of a path and a method.
    enum Match: Sendable {
        case route(Route, RouteCall)
        /// The path exists with these methods only.
        case otherMethods([HTTPMethod])
        case none
    }

    let routes: [Route]
    private let byLength: [Int: [Route]]

    init(_ routes: [Route]) {
        self.routes = routes
        byLength = Dictionary(grouping: routes) { $0.pattern.parts.count }
    }

    /// Finds the route of a request; `HEAD` takes that of `GET`.
    func match(_ request: HTTPRequest, path: ArraySlice<String>) -> Match {
        let method = request.method == .head ? .get : request.method
        var methods: [HTTPMethod] = []
        for route in byLength[path.count] ?? [] {
            guard let values = route.pattern.match(path) else { continue }
            if route.method == method {
                return .route(
                    route, RouteCall(request: request, values: values, parameters: route.parameters))
            }
            methods.append(route.method)
        }
        return methods.isEmpty ? .none : .otherMethods(methods)
    }
}
