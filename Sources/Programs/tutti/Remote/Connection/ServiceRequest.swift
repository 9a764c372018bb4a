import TuttiCommandLineInterface
import TuttiSystemIO

/// An address of a service, and the addresses of its name.
struct ServicePlace: Sendable {
    let address: ServiceAddress
    let endpoints: [SocketAddress]
}

/// A request to a service.
struct ServiceRequest: Sendable {
    var method: String
    var path: String
    var body: JSONValue?
    /// A body that is no JSON, with its type.
    var sound: (type: String, bytes: [UInt8])?
    /// Further lines of the head.
    var fields: [String] = []

    /// Returns the bytes of the request.
    func bytes(host: String, token: String?) -> [UInt8] {
        let json = body.map { JSONLine($0).text }
        var lines = ["\(method) /api/v1\(path) HTTP/1.0", "Host: \(host)", "Connection: close"]
        lines += fields
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let sound { lines.append("Content-Type: \(sound.type)") }
        if json != nil { lines.append("Content-Type: application/json") }
        let length = sound?.bytes.count ?? json?.utf8.count ?? 0
        if method != "GET" { lines.append("Content-Length: \(length)") }
        let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (json ?? "")).utf8)
        return head + (sound?.bytes ?? [])
    }
}
