import TuttiHTTPService

/// The OpenAPI 3.1 document of a table of routes.
enum OpenAPIDocument {
    static func json(of table: RouteTable, base: String, version: String) -> JSONValue {
        .object([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object([
                    ("title", .string("Tutti")), ("version", .string(version)),
                    ("description", .string("Control of the music of a house.")),
                ])
            ),
            ("servers", .array([.object([("url", .string(base))])])),
            ("security", .array([.object([("token", .array([]))]), .object([("cookie", .array([]))])])),
            ("paths", .object(paths(table.routes))),
            ("components", .object([("securitySchemes", securitySchemes)])),
        ])
    }

    private static func paths(_ routes: [Route]) -> [(String, JSONValue)] {
        var order: [String] = []
        var byPath: [String: [Route]] = [:]
        for route in routes {
            if byPath[route.pattern.text] == nil { order.append(route.pattern.text) }
            byPath[route.pattern.text, default: []].append(route)
        }
        return order.map { path in
            let operations = (byPath[path] ?? []).map { ($0.method.rawValue.lowercased(), operation($0)) }
            return (path, .object(operations))
        }
    }

    private static func operation(_ route: Route) -> JSONValue {
        var members: [(String, JSONValue)] = [("summary", .string(route.summary))]
        let parameters = route.pattern.names.map(pathParameter) + route.parameters.map(\.json)
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        if let body = route.body {
            members.append(
                (
                    "requestBody",
                    .object([
                        ("required", .bool(true)),
                        (
                            "content",
                            .object(
                                [("application/json", .object([("schema", body.json)]))]
                                    + route.bodyTypes.map { ($0, .object([])) })
                        ),
                    ])
                ))
        }
        if route.isOpen { members.append(("security", .array([]))) }
        members.append(
            (
                "responses",
                .object([
                    ("200", .object([("description", .string("Done."))])),
                    (
                        "default",
                        .object([("description", .string("A problem, as application/problem+json."))])
                    ),
                ])
            ))
        return .object(members)
    }

    private static func pathParameter(_ name: String) -> JSONValue {
        .object([
            ("name", .string(name)), ("in", .string("path")), ("required", .bool(true)),
            ("schema", .object([("type", .string(textNames.contains(name) ? "string" : "integer"))])),
        ])
    }

    /// The path's values that are no numbers.
    private static let textNames: Set = ["room", "picture"]

    private static let securitySchemes = JSONValue.object([
        ("token", .object([("type", .string("http")), ("scheme", .string("bearer"))])),
        (
            "cookie",
            .object([
                ("type", .string("apiKey")), ("in", .string("cookie")),
                ("name", .string(AccessControl.cookieName)),
            ])
        ),
    ])
}

/// The page that shows a table of routes to people.
enum DocumentationPage {
    static func html(of table: RouteTable, base: String) -> String {
        let rows = table.routes.map { route in
            let query = route.parameters.map(\.name).joined(separator: ", ")
            return "<tr><td>\(route.method.rawValue)</td><td><code>\(escape(route.pattern.text))</code></td>"
                + "<td>\(escape(route.summary))</td><td>\(escape(query))</td>"
                + "<td><code>\(escape(route.body?.summary ?? ""))</code></td></tr>"
        }
        return """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>Tutti: the HTTP interface</title></head>
            <body>
            <h1>The HTTP interface</h1>
            <p>Base: <code>\(escape(base))</code>. Bodies and answers are JSON; errors are
            <code>application/problem+json</code>. The same as a document for programs:
            <a href="\(escape(base))/openapi.json">openapi.json</a>.</p>
            <table>
            <thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Meaning</th>\
            <th scope="col">Query</th><th scope="col">Body</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            </body>
            </html>

            """
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
