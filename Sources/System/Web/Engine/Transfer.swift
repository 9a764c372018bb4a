import CTuttiCurl
import Glibc
import TuttiMediaTime
import TuttiSystemIO

/// A running request and its response, on the engine's thread.
final class Transfer {
    let handle: UnsafeMutableRawPointer
    private weak var source: WebSource?
    private let serial: Int
    private let host: String
    private let log: TransferLog
    private let number: Int
    private let clock: any HostClock
    private let began: HostTime
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var aliases: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>
    private var parser = WebHeadParser()
    private var isAnswered = false
    /// Bytes received after the head, and the part of them that belongs to the body.
    private var rawBytes = 0
    private var bodyBytes = 0
    private var trailerBytes = 0
    /// The cause, if Tutti ended the transfer.
    private var objection: WebError?
    private var heldSince: HostTime?
    private var heldTime = Duration.zero

    init?(
        _ ask: FetchPlanner.Ask, of source: WebSource, share: UnsafeMutableRawPointer?, clock: any HostClock
    ) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.source = source
        serial = ask.serial
        host = source.host
        log = source.log
        self.clock = clock
        began = clock.now
        number = source.log.begin(address: ask.address, cause: ask.cause, offset: ask.offset, at: began)
        errorText = .allocate(capacity: Int(shim_error_size))
        errorText.initialize(repeating: 0, count: Int(shim_error_size))
        setUp(ask, options: source.options, share: share)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        curl_slist_free_all(aliases)
        errorText.deallocate()
    }

    // MARK: Asking

    private func setUp(_ ask: FetchPlanner.Ask, options: WebOptions, share: UnsafeMutableRawPointer?) {
        let address = Unmanaged.passUnretained(self).toOpaque()
        setText(CURLOPT_URL, ask.address)
        setText(CURLOPT_PROTOCOLS_STR, "http,https")
        setText(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        setText(CURLOPT_USERAGENT, options.agent)
        setText(CURLOPT_ACCEPT_ENCODING, options.takesCompressed ? "gzip, deflate" : "identity")
        // Like other OpenSSL programs, honour the environment's file of certificate authorities.
        if let file = getenv("SSL_CERT_FILE") { shim_set_text(handle, CURLOPT_CAINFO, file) }
        setLong(CURLOPT_NOSIGNAL, 1)
        setLong(CURLOPT_FOLLOWLOCATION, 1)
        setLong(CURLOPT_MAXREDIRS, WebLimits.redirects)
        // HTTP/1.1 has one response per connection: back-pressure of a full window stops no other transfer.
        setLong(CURLOPT_HTTP_VERSION, Int(shim_http_1_1))
        setLong(CURLOPT_TCP_KEEPALIVE, 1)
        setLong(CURLOPT_BUFFERSIZE, WebLimits.readBytes)
        shim_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        shim_set_pointer(handle, CURLOPT_SHARE, share)
        shim_set_pointer(handle, CURLOPT_HEADERDATA, address)
        shim_set_pointer(handle, CURLOPT_WRITEDATA, address)
        shim_set_taker(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, transfer in
            Transfer.of(transfer)?.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        shim_set_taker(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
            Transfer.of(transfer)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        watchFraming()
        setHeaders(ask, options)
    }

    /// Watches the bytes around the body's chunks, which libcurl reads without limit and without a callback.
    private func watchFraming() {
        let address = Unmanaged.passUnretained(self).toOpaque()
        shim_set_pointer(handle, CURLOPT_DEBUGDATA, address)
        shim_set_watcher(handle) { _, kind, _, count, transfer in
            if kind == CURLINFO_DATA_IN { Transfer.of(transfer)?.rawBytes += count }
            return 0
        }
        setLong(CURLOPT_VERBOSE, 1)
        shim_set_pointer(handle, CURLOPT_XFERINFODATA, address)
        shim_set_progress(handle) { transfer, _, _, _, _ in
            Transfer.of(transfer)?.hasTooMuchFraming == true ? 1 : 0
        }
        setLong(CURLOPT_NOPROGRESS, 0)
    }

    private var hasTooMuchFraming: Bool {
        guard rawBytes - bodyBytes > WebLimits.framingBytes + 2 * bodyBytes else { return false }
        objection = .badAnswer("it contains more framing than content")
        return true
    }

    private func setHeaders(_ ask: FetchPlanner.Ask, _ options: WebOptions) {
        // An empty file name enables an in-memory cookie store.
        setText(CURLOPT_COOKIEFILE, "")
        for line in options.cookieLines(host: host) { setText(CURLOPT_COOKIELIST, line) }
        if ask.isRanged {
            let last = ask.last.map { "\($0)" } ?? ""
            headers = curl_slist_append(headers, "Range: bytes=\(ask.offset)-\(last)")
        }
        if let validator = ask.validator { headers = curl_slist_append(headers, "If-Range: \(validator)") }
        if options.wantsTitles { headers = curl_slist_append(headers, "Icy-MetaData: 1") }
        shim_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        // Old radio servers begin with this line instead of "HTTP/1.0 200 OK".
        aliases = curl_slist_append(nil, "ICY 200 OK")
        shim_set_pointer(handle, CURLOPT_HTTP200ALIASES, aliases)
    }

    private func setText(_ option: CURLoption, _ value: String) { shim_set_text(handle, option, value) }

    private func setLong(_ option: CURLoption, _ value: Int) { shim_set_long(handle, option, value) }

    private static func of(_ address: UnsafeMutableRawPointer?) -> Transfer? {
        address.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: The answer

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        // Trailers after the body are only counted.
        if isAnswered {
            trailerBytes += line.count
            if trailerBytes <= WebHeadParser.byteLimit { return line.count }
            objection = .endlessHead
            return 0
        }
        do throws(WebError) {
            guard let head = try parser.take(line) else { return line.count }
            let isFollowed = (300..<400).contains(head.status) && head["location"] != nil
            if head.status < 200 || isFollowed { return line.count }
            guard !head.isEncodedTwice else { throw .badAnswer("it is compressed more than once") }
            isAnswered = true
            let address = text(CURLINFO_EFFECTIVE_URL) ?? ""
            log.answered(number, status: head.status, address: address, server: server)
            // If the source rejects the body, it has stored the cause.
            return source?.head(serial, head, address: address) == true ? line.count : 0
        } catch {
            objection = error
            return 0
        }
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let source else { return 0 }
        // Counted first: a reader that has got its last byte finds it in the log.
        let taking = source.receive(serial, bytes) {
            log.received(number, byteCount: bytes.count, duration: activeTime)
        }
        switch taking {
        case .taken:
            bodyBytes += bytes.count
            return bytes.count
        case .hold:
            heldSince = clock.now
            return Int(shim_write_pause)
        case .stop:
            return 0
        }
    }

    func resume() {
        if let heldSince { heldTime += clock.now.since(heldSince) }
        heldSince = nil
        curl_easy_pause(handle, shim_pause_none)
    }

    /// The transfer time without back-pressure pauses.
    private var activeTime: Duration { (heldSince ?? clock.now).since(began) - heldTime }

    private var server: String? {
        var port = 0
        guard let number = text(CURLINFO_PRIMARY_IP), !number.isEmpty else { return nil }
        shim_get_long(handle, CURLINFO_PRIMARY_PORT, &port)
        return number.contains(":") ? "[\(number)]:\(port)" : "\(number):\(port)"
    }

    private func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        shim_get_text(handle, info, &value)
        return value.map { String(cString: $0) }
    }

    // MARK: The end

    /// Logs the end of a transfer that is no longer wanted.
    func abandon() {
        log.received(number, byteCount: 0, duration: activeTime)
        log.ended(number, failure: objection.map { "\($0)" })
    }

    func end(_ code: CURLcode) {
        log.received(number, byteCount: 0, duration: activeTime)
        let failure = code == CURLE_OK ? nil : self.failure(code)
        log.ended(number, failure: failure.map { "\($0.error)" })
        source?.finish(serial, failure)
    }

    private func failure(_ code: CURLcode) -> TransferFailure {
        if let objection { return TransferFailure(error: objection, isLasting: true) }
        let own = String(cString: errorText)
        let reason = own.isEmpty ? String(cString: curl_easy_strerror(code)) : own
        return TransferFailure(code, host: currentHost, reason: reason)
    }

    /// The host of the current address, which may differ after redirects.
    private var currentHost: String {
        guard let address = text(CURLINFO_EFFECTIVE_URL), let parts = try? WebAddress(address) else {
            return host  // `WebSource` validated the original address
        }
        return parts.host
    }
}

extension TransferFailure {
    /// - Parameter reason: Libcurl's text.
    init(_ code: CURLcode, host: String, reason: String) {
        switch code {
        case CURLE_URL_MALFORMAT:
            self.init(error: .invalidAddress, isLasting: true)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            self.init(error: .unknownHost(host))
        case CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT:
            self.init(error: .noConnection(host: host, reason: reason))
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CRL_BADFILE:
            self.init(error: .notTrusted(host: host, reason: reason), isLasting: true)
        // Includes a connection that ended during the TLS handshake.
        case CURLE_SSL_CONNECT_ERROR:
            self.init(error: .notTrusted(host: host, reason: reason))
        case CURLE_TOO_MANY_REDIRECTS:
            self.init(error: .redirectLoop(limit: WebLimits.redirects), isLasting: true)
        case CURLE_UNSUPPORTED_PROTOCOL where reason.contains("HTTP/0.9"):
            self.init(error: .badAnswer("it is not HTTP"), isLasting: true)
        case CURLE_UNSUPPORTED_PROTOCOL:
            self.init(error: .redirectElsewhere, isLasting: true)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            self.init(error: .badAnswer(reason), isLasting: true)
        case CURLE_OUT_OF_MEMORY:
            self.init(error: .badAnswer("out of memory"), isLasting: true)
        case CURLE_PARTIAL_FILE:
            self.init(error: .lost(reason), isLoss: true, isShort: true)
        default:
            self.init(error: .lost(reason), isLoss: true)
        }
    }
}
