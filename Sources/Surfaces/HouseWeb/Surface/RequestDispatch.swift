import TuttiHouse
import TuttiHTTPService

/// The way of a request: the guard, then a page, or access and a route.
struct RequestDispatch: Sendable {
    /// The base path of the interface.
    static let base = ["api", "v1"]

    let context: ServiceContext
    let requestGuard: RequestGuard
    let pages: PageTable
    let table: RouteTable
    private let documentation: [UInt8]

    init(
        _ context: ServiceContext, guard requestGuard: RequestGuard, pages: PageTable = PageTable()
    ) {
        (self.context, self.requestGuard, self.pages) = (context, requestGuard, pages)
        let base = "/" + Self.base.joined(separator: "/")
        let routes =
            HouseRoutes.routes(context) + QueueRoutes.routes(context) + AnnouncementRoutes.routes(context)
            + AlarmRoutes.routes(context) + LibraryRoutes.routes(context) + ServiceRoutes.routes(context)
        let description = Route(
            .get, "/openapi.json", "Returns this description, as OpenAPI 3.1.", isOpen: true
        ) { _ in HTTPResponse() }
        let document = OpenAPIDocument.json(
            of: RouteTable(routes + [description]), base: base, version: context.about.version)
        let json = Array(document.text.utf8)
        table = RouteTable(
            routes + [
                Route(.get, "/openapi.json", description.summary, isOpen: true) { call in
                    HTTPResponse.json(bytes: json)
                }
            ])
        documentation = Array(DocumentationPage.html(of: table, base: base).utf8)
    }

    /// Answers a request.
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        var response: HTTPResponse
        do {
            response = try await find(request)
        } catch {
            response = Problem(error).response
            if response.status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
        }
        for field in Self.securityFields { response.headers.append(field.0, field.1) }
        return response
    }

    private static let securityFields = [
        (
            "Content-Security-Policy",
            "default-src 'self'; img-src 'self' data: https: http:; style-src 'self'; script-src 'self'; "
                + "frame-ancestors 'none'; base-uri 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ]

    private func find(_ request: HTTPRequest) async throws -> HTTPResponse {
        if let refusal = requestGuard.refusal(of: request) { throw refusal }
        if request.path.starts(with: Self.base) {
            return try await call(request, path: request.path[Self.base.count...])
        }
        if request.path.first == Self.base[0] {
            throw Problem.notFound("The interface is below /api/v1.")
        }
        return try page(request)
    }

    private func call(_ request: HTTPRequest, path: ArraySlice<String>) async throws -> HTTPResponse {
        switch table.match(request, path: path) {
        case .route(let route, let call):
            guard route.isOpen || context.isAllowed(request) else { throw Self.needsToken }
            for parameter in route.parameters { try parameter.check(request.target) }
            let response = try await route.handler(call)
            if Self.changesLibrary(request, path) { await context.house.libraryDidChange() }
            return response
        case .otherMethods(let methods): return try otherMethod(request, methods)
        case .none:
            guard context.isAllowed(request) else { throw Self.needsToken }
            throw Problem.notFound("There is no such address. /docs lists all.")
        }
    }

    /// Whether a request that was carried out may have changed playlists or stations.
    private static func changesLibrary(_ request: HTTPRequest, _ path: ArraySlice<String>) -> Bool {
        request.method != .get && request.method != .head && (path.first == "library" || path.last == "save")
    }

    private static let needsToken = Problem(
        status: 401, code: "needsCode",
        detail: "This device is not known here. Ask for a pairing code where the service runs.")

    /// Answers `OPTIONS`, and refuses methods that the address lacks.
    private func otherMethod(_ request: HTTPRequest, _ methods: [HTTPMethod]) throws -> HTTPResponse {
        let all = methods + (methods.contains(.get) ? [.head] : []) + [.options]
        let allowed = all.map(\.rawValue).joined(separator: ", ")
        var response = HTTPResponse(status: 204)
        if request.method != .options {
            response =
                Problem(
                    status: 405, code: "methodNotAllowed", detail: "This address has the methods \(allowed)."
                ).response
        }
        response.headers["Allow"] = allowed
        return response
    }

    private func page(_ request: HTTPRequest) throws -> HTTPResponse {
        guard let page = pages.page(at: request.path) ?? documentationPage(request.path) else {
            throw Problem.notFound("There is no such page.")
        }
        guard request.method == .get || request.method == .head else {
            return try otherMethod(request, [.get])
        }
        var response = HTTPResponse(type: page.type, body: page.bytes)
        // Browsers ask each time whether there is a new version, and get 304.
        response.headers["Cache-Control"] = "no-cache"
        return response.tagged(page.tag, for: request)
    }

    private func documentationPage(_ path: [String]) -> PageTable.Page? {
        guard path == ["docs"] else { return nil }
        return PageTable.Page(
            type: PageTable.type(of: "docs.html"), bytes: documentation, tag: EntityTag(of: documentation))
    }
}
