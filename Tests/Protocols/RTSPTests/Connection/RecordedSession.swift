import Foundation
import TuttiRTSP
import TuttiTestSupport

/// The exchanges of `session-transcript.json`.
enum RecordedSession {
    struct Exchange: Sendable {
        let request: RTSPRequest
        let cSeq: Int
        let response: RTSPResponse
    }

    static func exchanges() throws -> [Exchange] {
        guard let entries = try Vectors.json("airplay/session-transcript.json") as? [[String: Any]] else {
            throw CocoaError(.coderReadCorrupt)
        }
        return try entries.map(exchange)
    }

    private static func exchange(_ entry: [String: Any]) throws -> Exchange {
        guard let method = entry["method"] as? String, let target = entry["uri"] as? String,
            let sent = entry["request_headers"] as? [String: Any], let cSeq = sent["CSeq"] as? Int,
            let status = entry["status"] as? String,
            let received = entry["response_headers"] as? [String: String]
        else { throw CocoaError(.coderReadCorrupt) }
        var request = RTSPRequest(RTSPMethod(rawValue: method), target, body: body(entry["request_body_b64"]))
        for (name, value) in sent.sorted(by: { $0.key < $1.key }) where name != "CSeq" {
            request.headers[name] = "\(value)"
        }
        var response = RTSPResponse(
            RTSPStatus(rawValue: Int(status.split(separator: " ")[1]) ?? 0),
            body: body(entry["response_body_b64"]))
        for (name, value) in received.sorted(by: { $0.key < $1.key }) {
            // Encoding writes this one name differently.
            response.headers[name == "content-length" ? "Content-Length" : name] = value
        }
        return Exchange(request: request, cSeq: cSeq, response: response)
    }

    private static func body(_ base64: Any?) -> [UInt8] {
        (base64 as? String).flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
    }
}

/// A stand-in for the real channel: frames of a length byte, a counting check byte, and bytes
/// that are all altered.
struct CountingCipher: RTSPCipher {
    struct WrongCount: Error {}

    private var sealed: UInt8 = 0
    private var opened: UInt8 = 0
    private var partial: [UInt8] = []

    mutating func seal(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 200) {
            let piece = bytes[start..<min(start + 200, bytes.count)]
            output += [UInt8(piece.count), sealed] + piece.map { $0 ^ 0x5A }
            sealed &+= 1
        }
        return output
    }

    mutating func open(_ bytes: [UInt8]) throws -> [UInt8] {
        partial += bytes
        var output: [UInt8] = []
        while let count = partial.first.map(Int.init), partial.count >= count + 2 {
            guard partial[1] == opened else { throw WrongCount() }
            opened &+= 1
            output += partial[2..<count + 2].map { $0 ^ 0x5A }
            partial.removeFirst(count + 2)
        }
        return output
    }
}
