import TuttiDBus

/// The player's side of MPRIS 2 without a bus: what calls want, and what changes must be told. A value.
struct PlayerInterface: Sendable {
    /// The path of every player.
    static let path = "/org/mpris/MediaPlayer2"

    private(set) var state: PlayerState

    init(_ state: PlayerState) { self.state = Self.bounded(state) }

    /// Replaces the state.
    ///
    /// - Returns: Whether the new one differs.
    mutating func setState(_ new: PlayerState) -> Bool {
        let new = Self.bounded(new)
        defer { state = new }
        return state != new
    }

    private static func bounded(_ state: PlayerState) -> PlayerState {
        guard let tracks = state.tracks, tracks.count > PlayerState.trackLimit else { return state }
        var state = state
        state.tracks = Array(tracks.prefix(PlayerState.trackLimit))
        return state
    }

    /// Returns what a call wants.
    func handle(_ call: BusCall, at now: SuspendingClock.Instant) -> PlayerAction {
        guard let object = objects[call.path] else {
            return .fail(.unknownObject, "There is no object \(Self.quoted(call.path)).")
        }
        let interfaces = object.interfaces + [.introspectable, .peer] + object.extra
        if let name = call.interface, !interfaces.contains(where: { $0.name == name }) {
            return .fail(.unknownMethod, "The object has no interface \(Self.quoted(name)).")
        }
        let found = interfaces.filter { call.interface == nil || $0.name == call.interface }
        for interface in found {
            guard let method = interface.methods.first(where: { $0.name == call.member }) else { continue }
            guard call.signature == method.signature, let arguments = call.arguments else {
                let wanted = method.signature.isEmpty ? "none" : "“\(method.signature)”"
                return .fail(
                    .invalidArguments,
                    "\(call.member) takes arguments of the types \(wanted), not \(Self.quoted(call.signature))."
                )
            }
            return perform(method.name, of: interface.name, arguments, object, at: now)
        }
        return .fail(.unknownMethod, "There is no method \(Self.quoted(call.member)).")
    }

    private struct Object {
        var interfaces: [InterfaceDeclaration] = []
        var extra: [InterfaceDeclaration] = []
        var children: [String] = []
    }

    /// The player's object, and those above it, which only lead to it.
    private var objects: [String: Object] {
        [
            "/": Object(children: ["org"]), "/org": Object(children: ["mpris"]),
            "/org/mpris": Object(children: ["MediaPlayer2"]),
            Self.path: Object(interfaces: state.interfaces, extra: [.properties]),
        ]
    }

    private func perform(
        _ method: String, of interface: String, _ arguments: [BusValue], _ object: Object,
        at now: SuspendingClock.Instant
    ) -> PlayerAction {
        switch interface {
        case InterfaceDeclaration.introspectable.name:
            let all =
                object.interfaces.map { described($0, at: now) } + [.introspectable, .peer] + object.extra
            let document = InterfaceDeclaration.document(all, children: object.children)
            return .reply(.values([.string(document)]))
        case InterfaceDeclaration.properties.name: return property(method, arguments, at: now)
        case InterfaceDeclaration.player.name: return playerCall(method, arguments, at: now)
        case InterfaceDeclaration.trackList.name: return trackListCall(method, arguments)
        // Raise and Quit have no effect while the player cannot do them.
        default: return .done
        }
    }

    /// Returns an interface with those properties alone that the player has.
    private func described(
        _ interface: InterfaceDeclaration, at now: SuspendingClock.Instant
    ) -> InterfaceDeclaration {
        let values = state.values(of: interface.name, at: now) ?? [:]
        var interface = interface
        interface.properties.removeAll { values[$0.name] == nil }
        return interface
    }

    // MARK: Properties

    private func property(
        _ method: String, _ arguments: [BusValue], at now: SuspendingClock.Instant
    ) -> PlayerAction {
        guard let interface = arguments.first?.text else { return .done }
        let values: [String: BusValue]
        let declared: InterfaceDeclaration?
        if interface.isEmpty, method != "GetAll" {
            // An empty name stands for any interface.
            declared = state.interfaces.first { declaration in
                declaration.properties.contains { $0.name == arguments[1].text }
            }
            values = declared.flatMap { state.values(of: $0.name, at: now) } ?? [:]
        } else {
            declared = state.interfaces.first { $0.name == interface }
            guard let found = state.values(of: interface, at: now) else {
                // Interfaces without properties.
                if [InterfaceDeclaration.introspectable, .peer, .properties].contains(where: {
                    $0.name == interface
                }),
                    method == "GetAll"
                {
                    return .reply(.values([.properties([:])]))
                }
                return .fail(.unknownInterface, "The player has no interface \(Self.quoted(interface)).")
            }
            values = found
        }
        if method == "GetAll" { return .reply(.values([.properties(values)])) }
        let name = arguments[1].text ?? ""
        guard let value = values[name], let property = declared?.properties.first(where: { $0.name == name })
        else { return .fail(.unknownProperty, "The player has no property \(Self.quoted(name)).") }
        if method == "Get" { return .reply(.values([.variant(value)])) }
        guard property.isWritable else { return .fail(.propertyReadOnly, "\(name) cannot be set.") }
        guard case .variant(let new) = arguments[2], new.typeSignature == property.type else {
            return .fail(.invalidArguments, "\(name) takes a value of the type “\(property.type)”.")
        }
        return set(name, new)
    }

    private func set(_ name: String, _ value: BusValue) -> PlayerAction {
        guard state.canControl else { return .fail(.notSupported, "The player accepts no commands.") }
        switch (name, value) {
        case ("LoopStatus", .string(let word)):
            guard let loop = PlayerState.Loop(rawValue: word) else {
                return .fail(.invalidArguments, "LoopStatus is None, Track or Playlist.")
            }
            return .perform(.setLoop(loop))
        case ("Shuffle", .boolean(let isOn)):
            return .perform(.setShuffle(isOn))
        case ("Volume", .double(let volume)):
            guard !volume.isNaN else { return .fail(.invalidArguments, "Volume is a number, 0 ... 1.") }
            return .perform(.setVolume(min(1, max(0, volume))))
        case ("Rate", .double(let rate)):
            // MPRIS wants a pause for a rate of 0.
            if rate == 0 { return state.canPause ? .perform(.pause) : .done }
            guard state.rates.contains(rate) else {
                let (low, high) = (state.rates.lowerBound, state.rates.upperBound)
                return .fail(.invalidArguments, "Rate is a number, \(low) ... \(high).")
            }
            return .perform(.setRate(rate))
        default:
            return .fail(.propertyReadOnly, "\(name) cannot be set.")
        }
    }

    /// Returns a peer's text for a sentence: short, and without characters that could mislead a reader.
    static func quoted(_ text: String) -> String {
        let plain = text.unicodeScalars.prefix(80).map { isMisleading($0) ? "?" : String($0) }
        return "“\(plain.joined())”"
    }

    private static func isMisleading(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
