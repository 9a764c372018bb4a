import Foundation

/// An error for a program and for a person, as `application/problem+json` (RFC 9457).
package struct Problem: Error, Hashable, Sendable {
    /// The status code.
    package var status: Int
    /// A word for programs, such as `notFound`.
    package var code: String
    /// A sentence that says what is wrong and what to do.
    package var detail: String

    /// Makes a problem.
    package init(status: Int, code: String, detail: String) {
        (self.status, self.code, self.detail) = (status, code, detail)
    }

    /// The answer that tells the client.
    package var response: HTTPResponse {
        var response = HTTPResponse(
            status: status, type: "application/problem+json; charset=utf-8", body: json)
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    private struct Document: Encodable {
        let type = "about:blank"
        let title: String
        let status: Int
        let detail: String
        let code: String
    }

    private var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = Document(title: Self.title(of: status), status: status, detail: detail, code: code)
        // Cannot fail: strings and a number only.
        return Array((try? encoder.encode(document)) ?? Data())
    }

    /// Returns the usual phrase of a status code.
    package static func title(of status: Int) -> String {
        titles[status] ?? (status < 500 ? "Refused" : "Failed")
    }

    private static let titles = [
        400: "Bad request", 401: "Not authorized", 403: "Forbidden", 404: "Not found",
        405: "Method not allowed", 409: "Conflict", 413: "Content too large", 414: "Address too long",
        415: "Unsupported media type", 421: "Misdirected request", 429: "Too many requests",
        500: "Internal error", 501: "Not implemented", 503: "Unavailable",
    ]
}
