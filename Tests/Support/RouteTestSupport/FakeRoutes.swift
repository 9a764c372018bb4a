import Playback
import Synchronization
import TuttiTestSupport

/// Outputs that a test adds and removes.
package final class FakeRoutes: RouteChoosing {
    package struct Log: Sendable {
        package var searches = 0
        package var observers = 0
        package var choices: [Set<String>] = []
        package var volumes: [String] = []
        /// The prompt's answers, `-` for none.
        package var passwords: [String] = []
        package var hasPrompt = false
    }

    private struct State {
        var options: [RouteOption]
        var observers: [Int: @Sendable ([RouteOption]) -> Void] = [:]
        var nextObserver = 0
        var prompt: (@Sendable (RouteOption) async -> String?)?
        var failure: RouteError?
    }

    private let state: Mutex<State>
    package let log = Recorder(Log())

    package init(_ options: [RouteOption] = []) { state = Mutex(State(options: options)) }

    package static let machine = RouteOption(
        id: "local", name: "This machine", kind: .local, isSelected: true, volume: nil)
    package static let kitchen = RouteOption(id: "k", name: "Kitchen", kind: .airPlay, volume: 40)
    package static let bath = RouteOption(
        id: "b", name: "Bath", kind: .airPlay, volume: 20, needsPassword: true)

    // MARK: For the test

    /// Tells the observers, on this thread.
    package func set(_ options: [RouteOption]) {
        let observers = state.withLock { state in
            state.options = options
            return state.observers.sorted { $0.key < $1.key }.map(\.value)
        }
        for observer in observers { observer(options) }
    }

    /// The error of the next choices.
    package func fail(with error: RouteError?) { state.withLock { $0.failure = error } }

    // MARK: RouteChoosing

    package var options: [RouteOption] { state.withLock { $0.options } }

    package func search() -> RouteObservation {
        log.update { $0.searches += 1 }
        return RouteObservation { [log] in log.update { $0.searches -= 1 } }
    }

    package func observe(_ body: @escaping @Sendable ([RouteOption]) -> Void) -> RouteObservation {
        let id = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = body
            return state.nextObserver
        }
        log.update { $0.observers += 1 }
        return RouteObservation { [weak self] in
            let old = self?.state.withLock { $0.observers.removeValue(forKey: id) }
            withExtendedLifetime(old) {}
            self?.log.update { $0.observers -= 1 }
        }
    }

    package func choose(_ ids: Set<RouteOption.ID>) async throws(RouteError) {
        let (failure, options, prompt) = state.withLock { ($0.failure, $0.options, $0.prompt) }
        if let failure { throw failure }
        for option in options where ids.contains(option.id) && option.needsPassword {
            let password = await prompt?(option)
            log.update { $0.passwords.append(password ?? "-") }
            guard password != nil else { throw RouteError("\(option.name) needs a password") }
        }
        log.update { $0.choices.append(ids) }
        set(
            options.map { option in
                var option = option
                option.isSelected = ids.contains(option.id)
                return option
            })
    }

    package func setVolume(_ percent: Double, of id: RouteOption.ID) {
        log.update { $0.volumes.append("\(id) \(percent)") }
        set(
            options.map { option in
                var option = option
                if option.id == id { option.volume = percent }
                return option
            })
    }

    package func setPasswordPrompt(_ prompt: (@Sendable (RouteOption) async -> String?)?) {
        state.withLock { $0.prompt = prompt }
        log.update { $0.hasPrompt = prompt != nil }
    }
}
