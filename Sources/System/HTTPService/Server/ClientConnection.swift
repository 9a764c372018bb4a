import CTuttiEvent
import Glibc
import TuttiSystemIO

/// A client's connection, from its acceptance to its end. Belongs to the server's thread.
///
/// evhttp owns its connection object, and tells of its end by one callback, on every path. It owns the
/// request as well, with one exception: if the client goes between the call of the handler and the last byte
/// handed over, evhttp detaches the request and leaves it to us (``releaseRequest()``).
final class ClientConnection {
    enum Phase {
        /// The client is idle, or sends a request.
        case reading
        /// The handler works; evhttp reads nothing meanwhile.
        case handling(OpaquePointer)
        /// evhttp has the whole answer.
        case writing
        /// A stream of events is open.
        case streaming(OpaquePointer, EventStream)
    }

    let id: ConnectionID
    let peer: SocketAddress
    /// evhttp's connection.
    let pointer: OpaquePointer
    private var phase = Phase.reading
    private(set) var exchange: ExchangeID
    private let buffer: OpaquePointer
    private let limits: HTTPLimits
    private var timer: LoopTimer?
    private unowned let loop: ServerLoop
    private var watch: UploadWatch?
    private var watchEntry: OpaquePointer?
    private var isUploading = false

    init?(_ pointer: OpaquePointer, buffer: OpaquePointer, id: ConnectionID, loop: ServerLoop) {
        guard let kernel = evhttp_connection_get_addr(pointer), let peer = Self.peer(at: kernel) else {
            return nil
        }
        (self.id, self.peer, self.pointer, self.buffer, self.loop) = (id, peer, pointer, buffer, loop)
        limits = loop.limits
        exchange = ExchangeID(connection: id, number: 0)
        let context = Unmanaged.passUnretained(self).toOpaque()
        timer = LoopTimer(on: loop.base, context: context) { _, _, context in
            ClientConnection.from(context)?.deadlinePassed()
        }
        bufferevent_setwatermark(buffer, Int16(EV_READ), 0, limits.readAheadBytes)
        evhttp_connection_set_closecb(
            pointer, { _, context in ClientConnection.from(context)?.ended() }, context)
        guard let timer else { return nil }
        timer.set(after: limits.requestPatience)
        watchUploads(context)
    }

    /// The client's address; that of this machine for a client of a socket at a path.
    private static func peer(at kernel: UnsafePointer<sockaddr>) -> SocketAddress? {
        if Int32(kernel.pointee.sa_family) == AF_UNIX { return SocketAddress(.loopbackV4, port: 0) }
        return SocketAddress(kernel, length: MemoryLayout<sockaddr_storage>.size)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ClientConnection? {
        context.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    private var stream: EventStream? {
        if case .streaming(_, let stream) = phase { stream } else { nil }
    }

    /// Whether a handler works for the client.
    var isHandling: Bool {
        if case .handling = phase { true } else { false }
    }

    /// Whether no request is in flight.
    var isReading: Bool {
        if case .reading = phase { true } else { false }
    }

    /// Drops the client. Not within a call from evhttp.
    func close() { evhttp_connection_free(pointer) }

    private func deadlinePassed() {
        switch phase {
        case .reading, .writing: close()
        case .handling:
            let problem = Problem(
                status: 503, code: "unavailable", detail: "The service took too long. Try again.")
            answer(problem.response)
        case .streaming(let request, _):
            if unsent == 0 { send([ServerSentEvent.keepAlive.bytes], on: request) }
            timer?.set(after: limits.keepAlive)
        }
    }

    /// evhttp's callback before it frees the connection.
    private func ended() {
        releaseRequest()
        stopWatching()
        timer = nil
        let stream = self.stream
        if stream != nil { loop.streamDidClose() }
        phase = .writing
        loop.remove(self)
        stream?.close()
    }

    private func releaseRequest() {
        switch phase {
        case .handling(let request), .streaming(let request, _):
            if evhttp_request_get_connection(request) == nil { evhttp_request_free(request) }
        case .reading, .writing: break
        }
    }
}

// Long bodies.
extension ClientConnection {
    private func watchUploads(_ context: UnsafeMutableRawPointer) {
        guard let uploads = limits.uploads, let input = bufferevent_get_input(buffer) else { return }
        watch = UploadWatch(uploads)
        watchEntry = evbuffer_add_cb(
            input,
            { _, info, context in
                if let info, info.pointee.n_added > 0 { ClientConnection.from(context)?.lookForUpload() }
            }, context)
    }

    private func stopWatching() {
        if let watchEntry, let input = bufferevent_get_input(buffer) {
            evbuffer_remove_cb_entry(input, watchEntry)
        }
        watchEntry = nil
        endUpload()
    }

    private var uploader: IPAddress? { peer.address.block.isLoopback ? nil : peer.address.block }

    /// Raises the limits of a request that may have a long body, if there is a place for it.
    private func lookForUpload() {
        guard isReading, !isUploading, let uploads = limits.uploads,
            let input = bufferevent_get_input(buffer), watch?.hasBegun(in: input) == true,
            loop.uploads.take(uploads, peer: uploader)
        else { return }
        isUploading = true
        evhttp_connection_set_max_body_size(pointer, uploads.bodyBytes)
        let more = max(0, uploads.bodyBytes - limits.bodyBytes)
        bufferevent_setwatermark(buffer, Int16(EV_READ), 0, limits.readAheadBytes + more)
        timer?.set(after: uploads.patience)
    }

    private func endUpload() {
        guard isUploading else { return }
        isUploading = false
        loop.uploads.giveBack(peer: uploader)
        evhttp_connection_set_max_body_size(pointer, limits.bodyBytes)
        bufferevent_setwatermark(buffer, Int16(EV_READ), 0, limits.readAheadBytes)
    }
}

// Requests and answers.
extension ClientConnection {
    /// Takes a whole request from evhttp.
    func receive(_ request: OpaquePointer) {
        phase = .handling(request)
        exchange = ExchangeID(connection: id, number: exchange.number + 1)
        timer?.set(after: limits.handlerPatience)
        do {
            loop.handle(try RequestReader(limits: limits, peer: peer).read(request), exchange)
        } catch {
            answer(error.response, closing: true)
        }
    }

    /// Answers the request in flight.
    func answer(_ response: HTTPResponse, closing: Bool = false) {
        guard case .handling(let request) = phase else { return }
        let isHead = evhttp_request_get_command(request) == EVHTTP_REQ_HEAD
        switch response.body {
        case .events(let stream) where !isHead: open(stream, response, on: request)
        case .events(let stream):
            stream.close()
            finish(request, response, bytes: nil, closing: closing)
        case .bytes(let bytes):
            var response = response
            if isHead { response.headers["Content-Length"] = String(bytes.count) }
            finish(request, response, bytes: isHead ? nil : bytes, closing: closing)
        }
    }

    private func finish(_ request: OpaquePointer, _ response: HTTPResponse, bytes: [UInt8]?, closing: Bool) {
        add(response.headers, to: request, closing: closing || loop.isStopping)
        evhttp_request_set_on_complete_cb(
            request, { _, context in ClientConnection.from(context)?.completed() },
            Unmanaged.passUnretained(self).toOpaque())
        phase = .writing
        timer?.set(after: limits.answerPatience)
        let body = bytes.flatMap { $0.isEmpty ? nil : Self.buffer(of: [$0]) }
        evhttp_send_reply(request, Int32(clamping: response.status), nil, body)
        if let body { evbuffer_free(body) }
    }

    /// evhttp has written the answer, and now reads the next request or frees the connection.
    private func completed() {
        phase = .reading
        timer?.set(after: loop.isStopping ? .zero : limits.requestPatience)
        endUpload()
        watch?.restart()
        lookForUpload()
    }

    private func add(_ headers: HTTPHeaders, to request: OpaquePointer, closing: Bool) {
        let list = evhttp_request_get_output_headers(request)
        for field in headers.fields where field.name.isHTTPToken {
            evhttp_add_header(list, field.name, field.value.isHeaderValue ? field.value : "")
        }
        if closing { evhttp_add_header(list, "Connection", "close") }
    }

    private static func buffer(of chunks: ArraySlice<[UInt8]>) -> OpaquePointer? {
        guard let buffer = evbuffer_new() else { return nil }
        for chunk in chunks { evbuffer_add(buffer, chunk, chunk.count) }
        return buffer
    }
}

// Streams of events.
extension ClientConnection {
    private func open(_ stream: EventStream, _ response: HTTPResponse, on request: OpaquePointer) {
        guard loop.mayOpenStream else {
            stream.close()
            var refusal = Problem(
                status: 503, code: "limit",
                detail: "\(limits.eventStreams) clients listen already. Close one, and try again."
            ).response
            refusal.headers["Retry-After"] = "10"
            return finish(request, refusal, bytes: refusal.bytes, closing: true)
        }
        phase = .streaming(request, stream)
        loop.streamDidOpen()
        bound(sendBufferOf: bufferevent_getfd(buffer))
        add(response.headers, to: request, closing: true)
        evhttp_send_reply_start(request, Int32(clamping: response.status), nil)
        // A listener has nothing to say; what it sends stays in the kernel.
        bufferevent_setwatermark(buffer, Int16(EV_READ), 0, HTTPLimits.listenerReadBytes)
        timer?.set(after: limits.keepAlive)
        stream.attach(loop.inbox, id)
        writeEvents()
    }

    private func bound(sendBufferOf socket: Int32) {
        var bytes = HTTPLimits.streamSendBuffer
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    private var unsent: Int { evbuffer_get_length(bufferevent_get_output(buffer)) }

    /// Writes what waits in the stream, as far as the client reads; drops a client that does not.
    func writeEvents() {
        guard case .streaming(let request, let stream) = phase else { return }
        let output = stream.take(upTo: HTTPLimits.eventWrite - unsent)
        if output.isOverfull {
            loop.clientDidNotRead()
            return close()
        }
        send(output.chunks, on: request)
        if output.isEnded { endStream() }
    }

    /// Ends the stream of events, if one is open.
    func endStream() {
        guard case .streaming(let request, let stream) = phase else { return }
        phase = .writing
        loop.streamDidClose()
        timer?.set(after: limits.answerPatience)
        evhttp_send_reply_end(request)
        stream.close()
    }

    /// Hands events to evhttp, which asks for more once the kernel has them all.
    private func send(_ chunks: ArraySlice<[UInt8]>, on request: OpaquePointer) {
        guard !chunks.isEmpty, let body = Self.buffer(of: chunks) else { return }
        evhttp_send_reply_chunk_with_cb(
            request, body, { _, context in ClientConnection.from(context)?.writeEvents() },
            Unmanaged.passUnretained(self).toOpaque())
        evbuffer_free(body)
    }
}

extension HTTPResponse {
    fileprivate var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}

extension String {
    /// Whether the text has no control characters, which would end the field.
    fileprivate var isHeaderValue: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
}
