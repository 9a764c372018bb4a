import Observation

/// One object's properties as Swift's Observation knows them: what is read inside `withObservationTracking` is noted,
/// and its next change told. Any thread.
final class ReadTracking: Sendable {
    /// Stands for the object: its properties are known by name only.
    private final class Subject: Observable, Sendable {
        subscript(property: ObservedProperty) -> Never? { nil }
    }

    private let registrar = ObservationRegistrar()
    private let subject = Subject()

    func access(_ property: ObservedProperty) { registrar.access(subject, keyPath: \.[property]) }

    func willChange(_ properties: [ObservedProperty]) {
        for property in properties { registrar.willSet(subject, keyPath: \.[property]) }
    }

    func didChange(_ properties: [ObservedProperty]) {
        for property in properties { registrar.didSet(subject, keyPath: \.[property]) }
    }
}

/// Whether objects take part in Swift's Observation: chosen once, before the first of them is made. Any thread.
package final class ObservationChoice: Sendable {
    private let state = Guarded((isEnabled: false, isFinal: false))

    package init() {}

    /// What was chosen so far.
    package var isEnabled: Bool { state.withLock { $0.isEnabled } }

    /// - Returns: `false`, and nothing changes, if an object was made with the other choice.
    package func choose(_ isEnabled: Bool) -> Bool {
        state.withLock { state in
            guard !state.isFinal || state.isEnabled == isEnabled else { return false }
            state.isEnabled = isEnabled
            return true
        }
    }

    /// For an object that is being made: the choice stays from now on.
    package func makeObservations() -> PropertyObservations {
        let isEnabled = state.withLock { state in
            state.isFinal = true
            return state.isEnabled
        }
        return PropertyObservations(tracksReads: isEnabled)
    }
}
