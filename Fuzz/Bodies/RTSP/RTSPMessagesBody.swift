import TuttiRTSP

/// First byte: cuts. Then bytes of a connection, read as requests and as answers, with the usual
/// limits and with tight ones.
public func fuzzRTSPMessages(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    let choice = input.byte()
    let tight = RTSPLimits(headByteCount: 128, headerCount: 4, bodyByteCount: 64)
    for limits in [RTSPLimits.standard, tight] {
        try read(input.rest, choice: choice, with: RequestReader(limits: limits), roundTrip)
        try read(input.rest, choice: choice, with: ResponseReader(limits: limits), roundTrip)
    }
}

/// A common interface of both parsers.
private protocol MessageReader {
    associatedtype Message: Equatable
    var pendingByteCount: Int { get }
    mutating func append(_ bytes: ArraySlice<UInt8>)
    mutating func next() throws(RTSPError) -> Message?
}

private struct RequestReader: MessageReader {
    private var parser: RTSPRequestParser

    init(limits: RTSPLimits) { parser = RTSPRequestParser(limits: limits) }

    var pendingByteCount: Int { parser.pendingByteCount }

    mutating func append(_ bytes: ArraySlice<UInt8>) { parser.append(bytes) }

    mutating func next() throws(RTSPError) -> RTSPRequest? { try parser.nextRequest() }
}

private struct ResponseReader: MessageReader {
    private var parser: RTSPResponseParser

    init(limits: RTSPLimits) { parser = RTSPResponseParser(limits: limits) }

    var pendingByteCount: Int { parser.pendingByteCount }

    mutating func append(_ bytes: ArraySlice<UInt8>) { parser.append(bytes) }

    mutating func next() throws(RTSPError) -> RTSPResponse? { try parser.nextResponse() }
}

private func read<Reader: MessageReader>(
    _ bytes: ArraySlice<UInt8>, choice: UInt8, with reader: Reader,
    _ check: (Reader.Message) throws(BrokenInvariant) -> Void
) throws(BrokenInvariant) {
    let whole = try messages(in: [bytes], with: reader)
    let cut = try messages(in: pieces(of: bytes, choice: choice), with: reader)
    try require(whole.messages == cut.messages, "pieces give the same messages")
    try require(whole.failure == cut.failure, "pieces give the same error")
    for message in cut.messages { try check(message) }
}

private func messages<Reader: MessageReader>(
    in pieces: [ArraySlice<UInt8>], with fresh: Reader
) throws(BrokenInvariant) -> (messages: [Reader.Message], failure: RTSPError?) {
    var reader = fresh
    var found: [Reader.Message] = []
    for piece in pieces {
        reader.append(piece)
        do throws(RTSPError) {
            while let message = try reader.next() { found.append(message) }
        } catch {
            try require(reader.pendingByteCount == 0, "nothing is kept after an error")
            reader.append(piece)
            let later = Result { () throws(RTSPError) in try reader.next() == nil }
            try require(later == .failure(error), "an error stays")
            return (found, error)
        }
    }
    return (found, nil)
}

private func roundTrip(_ request: RTSPRequest) throws(BrokenInvariant) {
    _ = request.path
    let encoded = request.encoded
    var parser = RTSPRequestParser()
    parser.append(encoded)
    guard let again = try? parser.nextRequest() else {
        throw BrokenInvariant(description: "a request that was encoded can be read")
    }
    try require(
        again.method == request.method && again.target == request.target
            && again.version == request.version && again.body == request.body,
        "a request that was encoded is the same")
    try requireSame(again.headers, request.headers)
    try require(parser.pendingByteCount == 0, "a request ends with its body")
}

private func roundTrip(_ response: RTSPResponse) throws(BrokenInvariant) {
    let encoded = response.encoded
    var parser = RTSPResponseParser()
    parser.append(encoded)
    guard let again = try? parser.nextResponse() else {
        throw BrokenInvariant(description: "an answer that was encoded can be read")
    }
    try require(
        again.status == response.status && again.version == response.version
            && again.body == response.body,
        "an answer that was encoded is the same")
    try requireSame(again.headers, response.headers)
    try require(parser.pendingByteCount == 0, "an answer ends with its body")
}

private func requireSame(_ one: RTSPHeaders, _ two: RTSPHeaders) throws(BrokenInvariant) {
    try require(withoutLength(one) == withoutLength(two), "headers that were encoded are the same")
    _ = (two.cSeq, two.contentType)
}

/// `Content-Length` is written from the body.
private func withoutLength(_ headers: RTSPHeaders) -> RTSPHeaders {
    var rest = headers
    rest["Content-Length"] = nil
    return rest
}
