import CTuttiMosquitto
import Glibc
import TuttiCryptography

/// One connection to a broker, by libmosquitto. Belongs to the thread that makes it, which makes all calls;
/// the library's callbacks come within them.
final class MosquittoConnection {
    /// The version of the protocol.
    enum Version: Sendable {
        /// 3.1.1, for brokers that know nothing newer.
        case three
        /// 5.0: the broker then sends no packet beyond our limit.
        case five
    }

    private static let keepAlive: Int32 = 30
    private static let receiveBuffer: Int32 = 65_536
    /// The property “Maximum Packet Size” (MQTT 5.0, 3.1.2.11.4), and bytes of a packet besides its payload.
    private static let maximumPacketSize: (id: Int32, overhead: Int) = (39, 4_096)
    /// The option “No Local” of a subscription (MQTT 5.0, 3.8.3.1): our own messages do not come back.
    private static let noLocal: Int32 = 4
    /// `mosquitto_lib_init` must run once, before all other calls.
    private static let isLibraryReady: Bool = {
        Libcrypto.prepare()
        return mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue
    }()

    private let handle: OpaquePointer
    private let configuration: MQTTConfiguration
    private let version: Version
    /// The broker's answer to the connection, 0 for yes; `nil` until it comes.
    private(set) var answer: Int32?
    private var endCode: Int32 = 0
    private var lastError: String?
    private var received: [MQTTMessage] = []
    /// Received messages, dropped because of their length.
    private(set) var oversizedCount = 0

    init(_ configuration: MQTTConfiguration, _ version: Version) throws(MQTTFailure) {
        guard Self.isLibraryReady, let handle = mosquitto_new(configuration.clientID, true, nil) else {
            throw MQTTFailure(.settings, "The MQTT library cannot be used with this client's name.")
        }
        (self.handle, self.configuration, self.version) = (handle, configuration, version)
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        setCallbacks()
    }

    deinit { mosquitto_destroy(handle) }

    // MARK: Opening

    /// Connects and asks to be let in; ``answer`` has the broker's word later. Waits for the network.
    ///
    /// - Parameter host: The broker's name, or one of its addresses.
    func open(_ host: String) throws(MQTTFailure) {
        try configure()
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if version == .five {
            let size = UInt32(clamping: configuration.limits.payload + Self.maximumPacketSize.overhead)
            mosquitto_property_add_int32(&properties, Self.maximumPacketSize.id, size)
        }
        errno = 0
        let code = mosquitto_connect_bind_v5(
            handle, host, Int32(configuration.port), Self.keepAlive, nil, properties)
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return limitBuffer() }
        if code == MOSQ_ERR_TLS.rawValue { throw .encryption(configuration, lastError) }
        if code == MOSQ_ERR_EAI.rawValue { throw .noSuchHost(configuration) }
        throw .unreachable(configuration, Self.words(code, errno))
    }

    /// Keeps the system from storing megabytes of a flood, behind which a user's command would wait for
    /// minutes.
    private func limitBuffer() {
        var size = Self.receiveBuffer
        setsockopt(
            mosquitto_socket(handle), SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    private func configure() throws(MQTTFailure) {
        let number = version == .five ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, Int32(number))
        mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        if configuration.user != nil || configuration.password != nil {
            mosquitto_username_pw_set(handle, configuration.user ?? "", configuration.password)
        }
        if let will = configuration.will {
            mosquitto_will_set(
                handle, will.topic, Int32(clamping: will.payload.count), will.payload, 1, will.isRetained)
        }
        guard let encryption = configuration.encryption else { return }
        guard let file = encryption.certificates else {
            mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
            return
        }
        guard mosquitto_tls_set(handle, file, nil, nil, nil, nil) == MOSQ_ERR_SUCCESS.rawValue else {
            throw MQTTFailure(
                .settings, "The certificates for the MQTT broker cannot be read from “\(file)”.")
        }
    }

    /// Closes in order: the broker does not publish the will.
    func close() { mosquitto_disconnect(handle) }

    // MARK: Sending

    /// The socket; `nil` once the connection has ended.
    var socket: Int32? {
        let number = mosquitto_socket(handle)
        return number >= 0 ? number : nil
    }

    /// Whether the library has bytes to write.
    var wantsWrite: Bool { mosquitto_want_write(handle) }

    /// Publishes a message once, without an answer of the broker: after a lost connection all is published
    /// again.
    func publish(_ message: MQTTMessage) {
        // Fails for a topic that is no name, and for a lost connection, which the next read reports.
        mosquitto_publish(
            handle, nil, message.topic, Int32(clamping: message.payload.count), message.payload, 0,
            message.isRetained)
    }

    /// Subscribes; the broker repeats a message until it is acknowledged.
    func subscribe(_ filter: String) {
        let options = version == .five ? Self.noLocal : 0
        mosquitto_subscribe_v5(handle, nil, filter, 1, options, nil)
    }

    func unsubscribe(_ filter: String) { mosquitto_unsubscribe(handle, nil, filter) }

    // MARK: Moving bytes

    /// Reads what is there, up to one message.
    ///
    /// - Returns: Whether there may be more.
    func read() throws(MQTTFailure) -> Bool {
        errno = 0
        let code = mosquitto_loop_read(handle, 1)
        let isEmpty = errno == EAGAIN
        try check(code)
        return !isEmpty
    }

    /// Writes what the socket takes.
    func write() throws(MQTTFailure) { try check(mosquitto_loop_write(handle, 1)) }

    /// Keeps the connection alive; call this every few seconds.
    func performMaintenance() throws(MQTTFailure) { try check(mosquitto_loop_misc(handle)) }

    /// Takes the received messages.
    func takeReceived() -> [MQTTMessage] {
        defer { received = [] }
        return received
    }

    /// Whether the broker has closed its side. The library does not notice that while it sets up encryption.
    var isClosedByBroker: Bool {
        guard let socket else { return true }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }

    private func check(_ code: Int32) throws(MQTTFailure) {
        if let answer, answer != 0 {
            let words = version == .five ? mosquitto_reason_string(answer) : mosquitto_connack_string(answer)
            throw .refusal(
                answer, Self.sentence(words.map { String(cString: $0) } ?? "code \(answer)"), configuration)
        }
        guard code != MOSQ_ERR_SUCCESS.rawValue || socket == nil else { return }
        // A broker without encryption hangs up.
        if answer == nil, lastError?.contains("unexpected eof") == true { throw .closed(configuration) }
        if answer == nil, configuration.encryption != nil, lastError != nil || code == MOSQ_ERR_TLS.rawValue {
            throw .encryption(configuration, lastError)
        }
        throw answer == nil ? .closed(configuration) : .end(endCode, configuration)
    }

    // MARK: Callbacks

    private func setCallbacks() {
        mosquitto_connect_callback_set(handle) { _, context, code in
            MosquittoConnection.of(context)?.answer = code
        }
        mosquitto_disconnect_callback_set(handle) { _, context, code in
            MosquittoConnection.of(context)?.endCode = code
        }
        mosquitto_message_callback_set(handle) { _, context, message in
            guard let message else { return }
            MosquittoConnection.of(context)?.take(message.pointee)
        }
        mosquitto_log_callback_set(handle) { _, context, level, text in
            guard level == Int32(MOSQ_LOG_ERR), let text else { return }
            MosquittoConnection.of(context)?.note(String(cString: text))
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MosquittoConnection? {
        context.map { Unmanaged<MosquittoConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(_ message: mosquitto_message) {
        let count = Int(message.payloadlen)
        guard let topic = message.topic, count >= 0 else { return }
        guard count <= configuration.limits.payload else {
            oversizedCount += 1
            return
        }
        let bytes = UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : count)
        received.append(
            MQTTMessage(topic: String(cString: topic), payload: Array(bytes), isRetained: message.retain))
    }

    /// Keeps the reason in an error of OpenSSL, `OpenSSL Error[0]: error:…:…::certificate verify failed`.
    private func note(_ line: String) {
        guard let reason = line.split(separator: ":").last else { return }
        let words = Self.sentence(String(reason.drop { $0 == " " }.prefix(200)))
        if !words.isEmpty, lastError == nil { lastError = words }
    }

    // MARK: Words

    private static func words(_ code: Int32, _ system: Int32) -> String {
        if code == MOSQ_ERR_ERRNO.rawValue, system != 0 { return sentence(String(cString: strerror(system))) }
        return sentence(String(cString: mosquitto_strerror(code)))
    }

    /// Returns words without a full stop, and with a small letter at the beginning.
    private static func sentence(_ words: String) -> String {
        let bare = words.hasSuffix(".") ? String(words.dropLast()) : words
        return bare.prefix(1).lowercased() + bare.dropFirst()
    }
}
