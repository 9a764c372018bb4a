import CTuttiCurl
import TuttiMediaTime
import TuttiSystemIO

/// The running transfers. Belongs to the engine's thread, which creates it.
final class TransferPool {
    private struct Key: Hashable {
        var source: ObjectIdentifier
        var serial: Int
    }

    private let multi: MultiHandle
    private let clock: any HostClock
    private var transfers: [Key: Transfer] = [:]
    private var attended: [ObjectIdentifier: WeakReference<WebSource>] = [:]

    init(multi: MultiHandle, clock: any HostClock) { (self.multi, self.clock) = (multi, clock) }

    func perform(_ command: WebEngineCore.Command) {
        switch command {
        case .attend(let source):
            attended[ObjectIdentifier(source)] = WeakReference(source)
        case .leave(let id):
            attended[id] = nil
            for key in transfers.keys.filter({ $0.source == id }) { end(key) }
        case .actions(let actions, let source):
            for action in actions { perform(action, of: source) }
        }
    }

    private func perform(_ action: FetchPlanner.Action, of source: WebSource) {
        let id = ObjectIdentifier(source)
        switch action {
        case .ask(let ask):
            guard let transfer = Transfer(ask, of: source, share: multi.share, clock: clock) else {
                let failure = TransferFailure(error: .badAnswer("out of memory"), isLasting: true)
                return source.finish(ask.serial, failure)
            }
            transfers[Key(source: id, serial: ask.serial)] = transfer
            curl_multi_add_handle(multi.pointer, transfer.handle)
        case .resume(let serial):
            transfers[Key(source: id, serial: serial)]?.resume()
        case .abandon(let serial):
            end(Key(source: id, serial: serial))
        }
    }

    /// Reports finished transfers to their sources.
    func finishEnded() {
        var code = CURLE_OK
        while let handle = shim_next_ended(multi.pointer, &code) {
            guard let (key, transfer) = transfers.first(where: { $0.value.handle == handle }) else {
                continue
            }
            transfers[key] = nil
            curl_multi_remove_handle(multi.pointer, handle)
            transfer.end(code)
        }
    }

    /// Handles expired deadlines of all sources.
    ///
    /// - Returns: The next deadline of all sources.
    func handleTimeouts() -> HostTime? {
        var next: HostTime?
        for (id, entry) in attended {
            guard let source = entry.object else {
                attended[id] = nil
                continue
            }
            if let deadline = source.handleTimeout() { next = min(next ?? deadline, deadline) }
        }
        return next
    }

    func endAll() {
        for key in transfers.keys { end(key) }
    }

    private func end(_ key: Key) {
        guard let transfer = transfers.removeValue(forKey: key) else { return }
        curl_multi_remove_handle(multi.pointer, transfer.handle)
        transfer.abandon()
    }
}
