import Foundation
import Glibc

/// An answer of the surface.
struct WebResponse: Sendable {
    var status: Int
    /// The fields by name in lower case.
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }
}

/// A connection to the surface, each wait on a thread of its own.
final class WebClient: Sendable {
    struct Failure: Error { let description: String }

    private let socket: Int32

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // Ends only a failed test.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failure(description: "connect: \(errno)") }
    }

    deinit { Glibc.close(socket) }

    /// Sends a request and returns its answer.
    func ask(
        _ method: String, _ target: String, _ body: String? = nil, headers: [String] = ["Host: localhost"]
    ) async throws -> WebResponse {
        let response = await onThread { [self] in askAndWait(method, target, body, headers: headers) }
        guard let response else { throw Failure(description: "no answer to \(method) \(target)") }
        return response
    }

    /// Sends a request and returns its answer; `nil` if there is none. Waits.
    func askAndWait(
        _ method: String, _ target: String, _ body: String? = nil, headers: [String] = ["Host: localhost"]
    ) -> WebResponse? {
        send(method, target, body, headers: headers)
        var bytes: [UInt8] = []
        while let more = receiveSome() {
            bytes += more
            if let response = Self.response(bytes, toHead: method == "HEAD") { return response }
        }
        return nil
    }

    func send(
        _ method: String, _ target: String, _ body: String? = nil, headers: [String] = ["Host: localhost"]
    ) {
        var lines = ["\(method) \(target) HTTP/1.1"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        let bytes = Array((lines.map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? "")).utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Returns the next bytes; `nil` at the end. Waits.
    func receiveSome() -> [UInt8]? {
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &block, block.count, 0)
        return count > 0 ? Array(block[..<count]) : nil
    }

    /// Returns what comes until `isEnough` or the end of the connection.
    func receive(until isEnough: @escaping @Sendable ([UInt8]) -> Bool) async -> [UInt8] {
        await onThread { [self] in
            var bytes: [UInt8] = []
            while !isEnough(bytes), let more = receiveSome() { bytes += more }
            return bytes
        }
    }

    /// Returns the answer at the beginning of the bytes; `nil` if it is not whole yet.
    static func response(_ bytes: [UInt8], toHead: Bool = false) -> WebResponse? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let first = lines.first?.split(separator: " ") ?? []
        guard first.count > 1, let status = Int(first[1]) else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.last?.trimmingCharacters(in: .whitespaces)
        }
        let length =
            toHead || status == 304 || status == 204 ? 0 : headers["content-length"].flatMap { Int($0) }
        guard let length, bytes.count >= end.upperBound + length else { return nil }
        let body = Array(bytes[end.upperBound..<end.upperBound + length])
        return WebResponse(status: status, headers: headers, body: body)
    }
}

/// Runs a call that waits on a thread of its own, which keeps the tests' threads free.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}
