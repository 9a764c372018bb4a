import Dispatch
import Foundation
import TuttiCommandLineInterface
import TuttiServiceHost
import TuttiSystemIO

/// A service that answers: each request is a connection of its own, which waits on its own thread.
struct RemoteService: Sendable {
    /// The service's own patience with a command is 30 s.
    static let patience = Duration.seconds(35)
    /// The time to connect to a service.
    static let connectPatience = Duration.seconds(5)
    /// Bytes of an answer: a thousand entries of a queue have a twentieth of it.
    private static let answerLimit = 16 << 20

    private var candidates: [ServiceAddress]
    private let isNamed: Bool
    private var absence = RemoteFailure.noServiceHere
    private let environment: [String: String]
    private var patience: Duration
    private let connectPatience: Duration

    /// Names a service; does not connect.
    ///
    /// - Parameter limit: The time for a request, and to connect; `nil` for the usual ones.
    init(
        host: String?, config: String?, environment: [String: String] = ProcessInfo.processInfo.environment,
        limit: Duration? = nil
    ) throws(RemoteFailure) {
        candidates = try ServiceAddress.candidates(host: host, config: config, environment: environment)
        isNamed = host != nil || environment["TUTTI_HOST"]?.isEmpty == false
        self.environment = environment
        (patience, connectPatience) = (limit ?? Self.patience, limit ?? Self.connectPatience)
    }

    /// Names the service that the options of a command say.
    init(_ arguments: ParsedArguments) throws(RemoteFailure) {
        try self.init(host: arguments.value("host"), config: arguments.value("config"))
    }

    /// Names the service of some settings, at its socket alone, where no secret reaches another program.
    ///
    /// - Parameter config: The configuration file that the user has named.
    init(of settings: HouseSettings, config: String?) {
        candidates = ServiceAddress.sockets(of: settings, config: config)
        (isNamed, environment, absence) = (false, [:], .noServiceToAsk)
        (patience, connectPatience) = (Self.patience, Self.connectPatience)
    }

    /// The service, but not at the port of this machine that nobody named: any program may listen there while no
    /// service runs.
    var trusted: RemoteService {
        guard !isNamed else { return self }
        var service = self
        service.candidates.removeAll { if case .tcp = $0 { true } else { false } }
        service.absence = .noOwnServiceHere
        return service
    }

    // MARK: Requests

    /// Returns the JSON that answers.
    ///
    /// - Parameters:
    ///   - path: Below `/api/v1`, with its query, encoded.
    ///   - body: JSON; `nil` for none.
    /// - Throws: ``RemoteFailure`` with the house's sentence if it refuses.
    func ask(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws(RemoteFailure) -> Data {
        let (request, places) = (ServiceRequest(method: method, path: path, body: body), try await places())
        return try await onThread { try exchange(request, places) }.get()
    }

    /// Sends a sound, and returns the JSON that answers. A slow network has two minutes.
    func send(_ sound: [UInt8], type: String, to path: String) async throws(RemoteFailure) -> Data {
        var request = ServiceRequest(method: "POST", path: path, body: nil)
        request.sound = (type, sound)
        let (upload, places) = (request, try await places())
        var patient = self
        patient.patience = .seconds(125)
        let service = patient
        return try await onThread { try service.exchange(upload, places) }.get()
    }

    /// Returns a decoded answer.
    func ask<Value: Decodable>(_ type: Value.Type, _ path: String) async throws(RemoteFailure) -> Value {
        try decoded(type, try await ask("GET", path))
    }

    /// Returns a decoded answer.
    func decoded<Value: Decodable>(_ type: Value.Type, _ data: Data) throws(RemoteFailure) -> Value {
        do { return try RemoteHouse.decoder.decode(type, from: data) } catch { throw Self.strange }
    }

    /// Gets this machine into a service of another one, by its code, and stores the token.
    func pair(code: String) async throws(RemoteFailure) {
        struct Answer: Decodable { let token: String }
        guard isNamed, case .tcp = candidates.first, let address = candidates.first, candidates.count == 1
        else {
            throw RemoteFailure(
                .usage, "--code needs --host: it registers this user at the service of another machine.")
        }
        let data = try await ask("POST", "/access", .members(["code": .string(code)]))
        guard let answer = try? JSONDecoder().decode(Answer.self, from: data),
            let file = DeviceToken(of: address, environment: environment)
        else { throw Self.strange }
        try file.store(answer.token)
    }

    private func exchange(_ request: ServiceRequest, _ places: [ServicePlace]) throws -> Data {
        let (socket, address) = try connect(to: places)
        let deadline = ContinuousClock.now + patience
        do {
            try socket.send(try bytes(request, address), until: deadline)
            var reader = AnswerReader()
            var body: [UInt8] = []
            while reader.head?.length.map({ body.count >= $0 }) != true {
                let bytes = try socket.receive(until: deadline)
                if bytes.isEmpty { break }
                body += try reader.receive(bytes)
                guard body.count <= Self.answerLimit else { throw Self.strange }
            }
            guard let head = reader.head, head.length.map({ body.count == $0 }) ?? true else {
                throw AnswerReader.Malformed()
            }
            return try Self.result(head, Data(body), at: address, isNamed: isNamed)
        } catch let error as SystemError {
            throw RemoteFailure(.noService, "\(address.text) no longer answers: \(error.text).")
        } catch is AnswerReader.Malformed {
            throw RemoteFailure(.noService, "\(address.text) answers, but is not a Tutti service.")
        }
    }

    private static let strange = RemoteFailure(
        .noService, "The service's answer cannot be read. Is it another version of Tutti?")

    // MARK: Events

    /// Listens to events on this thread until the connection ends.
    ///
    /// - Parameters:
    ///   - places: Those of ``places()``.
    ///   - last: The id of the last event that the caller has.
    ///   - onOpen: Gets the connection, whose `interrupt()` ends the listening.
    ///   - onEvent: Gets each event; returns `false` to end the listening.
    func listen(
        at places: [ServicePlace], after last: String?, onOpen: (ServiceSocket) -> Void,
        onEvent: (ServiceEvent) -> Bool
    ) throws {
        let (socket, address) = try connect(to: places)
        onOpen(socket)
        var request = ServiceRequest(method: "GET", path: "/events", body: nil)
        request.fields = last.map { ["Last-Event-ID: \($0)"] } ?? []
        try socket.send(try bytes(request, address), until: .now + Self.patience)
        var (reader, events) = (AnswerReader(), EventReader())
        var refusal: [UInt8] = []
        while true {
            // The service sends a comment every 15 s.
            let bytes = try socket.receive(until: .now + Self.silenceLimit)
            if bytes.isEmpty { break }
            let body = try reader.receive(bytes)
            guard let head = reader.head else { continue }
            guard head.status == 200 else {
                refusal += body
                guard refusal.count <= Self.answerLimit else { throw Self.strange }
                continue
            }
            for event in try events.receive(body) where !onEvent(event) { return }
        }
        guard let head = reader.head else { throw AnswerReader.Malformed() }
        if head.status != 200 { _ = try Self.result(head, Data(refusal), at: address, isNamed: isNamed) }
    }

    /// The silence after which a connection counts as lost.
    private static let silenceLimit = Duration.seconds(40)

    // MARK: Connections

    /// Returns the places to try, with the addresses of their names.
    func places() async throws(RemoteFailure) -> [ServicePlace] {
        var places: [ServicePlace] = []
        for candidate in candidates {
            guard case .tcp(let host, let port) = candidate else {
                places.append(ServicePlace(address: candidate, endpoints: []))
                continue
            }
            do throws(ResolveError) {
                let endpoints = try await HostName.resolve(host, port: port)
                places.append(ServicePlace(address: candidate, endpoints: endpoints))
            } catch {
                throw RemoteFailure(
                    .noService, "There is no host \(Printable.text("\(error)")). Check the name.")
            }
        }
        return places
    }

    private func connect(to places: [ServicePlace]) throws(RemoteFailure) -> (ServiceSocket, ServiceAddress) {
        let deadline = ContinuousClock.now + connectPatience
        var failure = absence
        for place in places {
            do throws(SystemError) {
                return (try Self.open(place, until: deadline), place.address)
            } catch {
                if isNamed || error.isPermissionDenied { failure = Self.unreachable(place.address, error) }
            }
        }
        throw failure
    }

    private static func open(
        _ place: ServicePlace, until deadline: ContinuousClock.Instant
    ) throws(SystemError) -> ServiceSocket {
        if case .socket(let path) = place.address {
            return ServiceSocket(try LocalStream.connect(to: path))
        }
        return try ServiceSocket.connect(to: place.endpoints, until: deadline)
    }

    private static func unreachable(_ address: ServiceAddress, _ error: SystemError) -> RemoteFailure {
        let place = Printable.text(address.text)
        if error.isPermissionDenied, case .socket = address {
            return RemoteFailure(
                .noService, "This user may not use \(place): run the command as the service's user.")
        }
        return RemoteFailure(
            .noService,
            "No service answers at \(place): \(error.text). Does it run, and does it listen there?")
    }

    private func bytes(_ request: ServiceRequest, _ address: ServiceAddress) throws -> [UInt8] {
        // A port of this machine that nobody named may be that of any program.
        guard isNamed, case .tcp = address, let file = DeviceToken(of: address, environment: environment)
        else { return request.bytes(host: address.authority, token: nil) }
        return request.bytes(host: address.authority, token: try file.read())
    }

    private static func result(
        _ head: AnswerReader.Head, _ body: Data, at address: ServiceAddress, isNamed: Bool
    ) throws(RemoteFailure) -> Data {
        if (200..<300).contains(head.status) { return body }
        struct Problem: Decodable { let detail: String }
        // Without a problem document, the status alone tells what the other end is.
        let problem = try? JSONDecoder().decode(Problem.self, from: body)
        if head.status == 401 { throw Self.needsCode(address, isNamed: isNamed) }
        if head.status == 413 {
            throw RemoteFailure(
                .refused,
                "The service does not accept the file: it has more than 32 MiB, or others are sending files at the moment. Try again."
            )
        }
        guard let problem else {
            throw RemoteFailure(
                .noService, "\(address.text) answers, but is not a Tutti service: status \(head.status).")
        }
        throw RemoteFailure(
            head.status == 403 ? .noAccess : .refused, Printable.text(problem.detail))
    }

    private static func needsCode(_ address: ServiceAddress, isNamed: Bool) -> RemoteFailure {
        let host = isNamed ? "" : " --host \(address.text)"
        return RemoteFailure(
            .noAccess,
            "The service at \(address.text) does not know this user. Run 'tutti serve --code' on its machine, then"
                + " repeat this command with\(host) --code CODE.")
    }
}

/// Runs a body that waits on its own thread, not one of the pool of async code.
private func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async -> Result<Value, RemoteFailure> {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "tutti.remote").async {
            continuation.resume(
                returning: Result(catching: body).mapError { error in
                    error as? RemoteFailure
                        ?? RemoteFailure(.noService, "The service cannot be reached: \(error)")
                })
        }
    }
}
