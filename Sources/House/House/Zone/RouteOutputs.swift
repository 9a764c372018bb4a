import AirPlaySender
import Playback
import Synchronization

/// The outputs of the catalogue of routes.
final class RouteOutputs: HouseOutputs {
    let changes: AsyncStream<[FoundRoom]>
    private let emit: AsyncStream<[FoundRoom]>.Continuation
    private let configuration: HouseConfiguration
    private let routes: RouteCatalogue
    private let own: [(room: FoundRoom, target: SpeakerTarget)]
    private let observations = Observations()

    init(_ configuration: HouseConfiguration, routes: RouteCatalogue = RouteCatalogue()) {
        (self.configuration, self.routes) = (configuration, routes)
        (changes, emit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        routes.setOptions(configuration.options)
        own = Self.ownRooms(configuration, routes)
    }

    /// Returns the rooms that the configuration names: outputs of this machine, and speakers by address. Leaves out
    /// an output of unknown form; the settings of the service were checked before.
    private static func ownRooms(
        _ configuration: HouseConfiguration, _ routes: RouteCatalogue
    ) -> [(room: FoundRoom, target: SpeakerTarget)] {
        let outputs = configuration.outputs.compactMap { text in
            try? OutputSpecification(parsing: text)
        }.map { output in
            (
                FoundRoom(id: RoomID(rawValue: "\(output)"), name: "\(output)", kind: .local),
                routes.target(of: output)
            )
        }
        let speakers = configuration.speakers.compactMap { speaker -> (FoundRoom, SpeakerTarget)? in
            let address = speaker.address
            let reference = SpeakerReference(
                name: speaker.name ?? address, id: address, addresses: [address])
            guard
                let target = routes.target(
                    of: reference, localAddress: configuration.options.localAddress)
            else { return nil }
            return (FoundRoom(id: RoomID(rawValue: address), name: target.name, kind: .airPlay), target)
        }
        return outputs + speakers
    }

    var known: [FoundRoom] { own.map(\.room) }

    func start(password: @escaping @Sendable (RoomID) async -> String?) {
        routes.setPasswordPrompt { option in await password(RoomID(rawValue: option.id)) }
        tell(routes.options)
        guard configuration.searches else { return }
        observations.set([routes.observe { [weak self] options in self?.tell(options) }, routes.search()])
    }

    func stop() {
        observations.set([])
        emit.finish()
    }

    private func tell(_ options: [RouteOption]) {
        // The machine's default device is a room only if the configuration says so: a server has none.
        let found = options.filter { $0.id != RouteCatalogue.localID }.map { FoundRoom($0) }
        emit.yield(own.map(\.room) + found.filter { room in !own.contains { $0.room.id == room.id } })
    }

    func makePlayer() -> any ZonePlaying {
        ZonePlayer(routes: routes.makeSelection(), options: configuration.options)
    }

    func targets(of room: RoomID) async throws(RouteError) -> [SpeakerTarget] {
        if let target = own.first(where: { $0.room.id == room })?.target { return [target] }
        return try await routes.targets(of: room.rawValue)
    }

    func decode(_ location: String) async throws(RouteError) -> AnnouncementSound {
        try await AnnouncementSound.decode(location)
    }

    func target(of reference: SpeakerReference) -> SpeakerTarget? {
        routes.target(of: reference, localAddress: configuration.options.localAddress)
    }
}

extension FoundRoom {
    init(_ option: RouteOption) {
        let kind: RoomSnapshot.Kind =
            switch option.kind {
            case .airPlay: .airPlay
            case .bluetooth: .bluetooth
            case .local: .local
            }
        self.init(
            id: RoomID(rawValue: option.id), name: option.name, model: option.model, kind: kind,
            needsPassword: option.needsPassword)
    }
}

/// Tokens that are kept until others replace them. Any thread.
private final class Observations: Sendable {
    private let tokens = Mutex<[RouteObservation]>([])

    func set(_ new: [RouteObservation]) {
        // Released outside the lock: the end of a search calls out.
        let old = tokens.withLock { tokens in
            defer { tokens = new }
            return tokens
        }
        withExtendedLifetime(old) {}
    }
}
