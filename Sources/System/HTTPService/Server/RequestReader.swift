import CTuttiEvent
import TuttiSystemIO

/// Reads evhttp's request into our own, and refuses what evhttp lets pass.
///
/// The message checks are those of RFC 9112 that keep two programs from seeing two different requests in the
/// same bytes; after a refusal the connection closes.
struct RequestReader {
    let limits: HTTPLimits
    let peer: SocketAddress

    func read(_ request: OpaquePointer) throws(Problem) -> HTTPRequest {
        let method = try Self.method(of: request)
        let text = evhttp_request_get_uri(request).map { String(cString: $0) } ?? ""
        guard text.utf8.count <= limits.targetBytes else {
            throw Problem(
                status: 414, code: "tooLong",
                detail: "The address has more than \(limits.targetBytes) bytes.")
        }
        let target: RequestTarget
        do { target = try RequestTarget(text) } catch { throw error.problem }
        let headers = try Self.headers(of: request)
        try Self.check(headers)
        return HTTPRequest(
            method: method, target: target, headers: headers, body: Self.body(of: request), peer: peer)
    }

    private static func method(of request: OpaquePointer) throws(Problem) -> HTTPMethod {
        let command = evhttp_request_get_command(request)
        if let method = methods[command.rawValue] { return method }
        if command == EVHTTP_REQ_TRACE || command == EVHTTP_REQ_CONNECT {
            throw Problem(
                status: 405, code: "methodNotAllowed",
                detail: "The methods TRACE and CONNECT are not allowed here.")
        }
        throw Problem(
            status: 501, code: "notImplemented",
            detail: "This method is not known here. The known methods are "
                + HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }

    private static let methods: [UInt32: HTTPMethod] = [
        EVHTTP_REQ_GET.rawValue: .get, EVHTTP_REQ_HEAD.rawValue: .head, EVHTTP_REQ_POST.rawValue: .post,
        EVHTTP_REQ_PUT.rawValue: .put, EVHTTP_REQ_PATCH.rawValue: .patch,
        EVHTTP_REQ_DELETE.rawValue: .delete, EVHTTP_REQ_OPTIONS.rawValue: .options,
    ]

    private static func headers(of request: OpaquePointer) throws(Problem) -> HTTPHeaders {
        var headers = HTTPHeaders()
        var next = evhttp_request_get_input_headers(request)?.pointee.tqh_first
        while let field = next {
            let name = field.pointee.key.map { String(cString: $0) } ?? ""
            guard name.isHTTPToken else {
                throw .malformed("The name of a header field has wrong characters.")
            }
            headers.append(name, field.pointee.value.map { String(cString: $0) } ?? "")
            next = field.pointee.next.tqe_next
        }
        return headers
    }

    private static func check(_ headers: HTTPHeaders) throws(Problem) {
        guard headers.all("Host").count <= 1 else { throw .malformed("The request has two Host fields.") }
        let lengths = headers.all("Content-Length")
        guard lengths.count <= 1, lengths.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { throw .malformed("The request must have one Content-Length field, a plain number.") }
        let codings = headers.all("Transfer-Encoding")
        guard codings.isEmpty || lengths.isEmpty else {
            throw .malformed("The request has both Content-Length and Transfer-Encoding.")
        }
        guard codings.count <= 1, codings.allSatisfy({ $0.lowercased() == "chunked" }) else {
            throw .malformed("The only known Transfer-Encoding is chunked.")
        }
    }

    private static func body(of request: OpaquePointer) -> [UInt8] {
        guard let buffer = evhttp_request_get_input_buffer(request) else { return [] }
        let count = evbuffer_get_length(buffer)
        return [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            filled = max(0, Int(evbuffer_remove(buffer, memory.baseAddress, count)))
        }
    }
}

extension Problem {
    static func malformed(_ detail: String) -> Problem {
        Problem(status: 400, code: "malformed", detail: detail)
    }
}

extension RequestTarget.Failure {
    var problem: Problem {
        switch self {
        case .noPath: .malformed("The address must be a path that begins with a slash.")
        case .badEncoding: .malformed("The address has a wrong percent sign, or is not UTF-8.")
        case .forbiddenSegment:
            .malformed("The address must not have the parts . and .. or control characters.")
        case .tooManyParts:
            .malformed("The address has more than \(RequestTarget.partLimit) parts.")
        }
    }
}
