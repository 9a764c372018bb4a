import Foundation
import Glibc
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiHTTPService

/// A client that sends bytes as a test says, each wait on a thread of its own.
final class TestClient: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Ends only a failed test.
    private static let patience = 60

    private let socket: Int32
    private let rest = Recorder<[UInt8]>([])

    init(_ address: SocketAddress, receiveBuffer: Int32? = nil) throws {
        let family = address.address.family == .v4 ? AF_INET : AF_INET6
        socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failure(description: "socket: \(errno)") }
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        let code = address.withSockaddr { connect(socket, $0, $1) }
        guard code == 0 else { throw Failure(description: "connect: \(errno)") }
    }

    deinit { Glibc.close(socket) }

    /// Sends bytes; a server that has closed is no error.
    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    socket, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Closes the sending half.
    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    /// Closes at once, with a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Returns what has come and comes until `isEnough` or the end of the connection.
    func receive(until isEnough: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }) async -> [UInt8] {
        await onThread { [self] in
            var bytes = rest.update { rest in
                defer { rest = [] }
                return rest
            }
            var block = [UInt8](repeating: 0, count: 65_536)
            while !isEnough(bytes) {
                let count = recv(socket, &block, block.count, 0)
                guard count > 0 else { break }
                bytes += block[..<count]
            }
            return bytes
        }
    }

    /// Returns the text until it contains `end`, or the connection ends.
    func text(until end: String) async -> String {
        let end = Array(end.utf8)
        return String(decoding: await receive { $0.firstRange(of: end) != nil }, as: UTF8.self)
    }

    /// Whether the server closes the connection; drops what comes before.
    func isClosed() async -> Bool {
        await onThread { [self] in
            var block = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(socket, &block, block.count, 0)
                if count == 0 { return true }
                if count < 0 { return errno != EAGAIN }
            }
        }
    }

    /// Returns the next answer.
    func response(toHead: Bool = false) async throws -> TestResponse {
        let bytes = await receive { TestResponse.length($0, toHead: toHead) != nil }
        guard let length = TestResponse.length(bytes, toHead: toHead),
            let response = TestResponse(Array(bytes[..<length]))
        else { throw Failure(description: "no answer but \(String(decoding: bytes, as: UTF8.self))") }
        rest.update { $0 = Array(bytes[length...]) }
        return response
    }

    /// Sends a request and returns its answer.
    func ask(
        _ method: String, _ target: String, headers: [String] = [], body: String? = nil
    ) async throws -> TestResponse {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        send(lines.map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? ""))
        return try await response(toHead: method == "HEAD")
    }
}

/// Runs a call that waits on a thread of its own, which keeps the tests' threads free.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}

/// An answer with `Content-Length`, or without a body.
struct TestResponse: Sendable {
    var status: Int
    var headers = HTTPHeaders()
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count > 1, let status = Int(first[1])
        else {
            return nil
        }
        self.status = status
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            headers.append(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
        body = Array(bytes[end.upperBound...])
    }

    /// The bytes of the first whole answer; `nil` if it is not whole yet.
    static func length(_ bytes: [UInt8], toHead: Bool) -> Int? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)),
            let response = TestResponse(Array(bytes[..<end.upperBound]))
        else { return nil }
        if toHead || response.status == 304 || response.status == 100 { return end.upperBound }
        guard let length = response.headers["Content-Length"].flatMap({ Int($0) }) else { return nil }
        return bytes.count >= end.upperBound + length ? end.upperBound + length : nil
    }
}

extension Recorder {
    /// Waits until the value is as wanted.
    func reach(_ what: String, _ isWanted: @escaping @Sendable (Value) -> Bool) async throws {
        _ = try await wait(for: what) { isWanted($0) ? true : nil }
    }
}
