internal import CCurl
internal import MediaTime
internal import SystemIO

/// The running transfers, on the engine's thread.
final class TransferPool {
    private struct Key: Hashable {
        var source: ObjectIdentifier
        var serial: Int
    }

    private struct Attended {
        weak var source: WebSource?
    }

    private let multi: UnsafeMutableRawPointer?
    private let share: UnsafeMutableRawPointer?
    private let clock: any HostClock
    private var transfers: [Key: Transfer] = [:]
    private var attended: [ObjectIdentifier: Attended] = [:]

    /// The most idle connections kept for reuse.
    private static let keptConnections = 8

    init(multi: UnsafeMutableRawPointer?, clock: any HostClock) {
        self.multi = multi
        self.clock = clock
        // Used on one thread only, so the share needs no locks.
        share = curl_share_init()
        if let share { _ = shim_share(share, CURL_LOCK_DATA_SSL_SESSION) }
        if let multi { _ = shim_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.keptConnections) }
    }

    deinit {
        if let share { curl_share_cleanup(share) }
    }

    func carryOut(_ command: WebEngineCore.Command) {
        switch command {
        case .attend(let source):
            attended[ObjectIdentifier(source)] = Attended(source: source)
        case .leave(let id):
            attended[id] = nil
            for key in transfers.keys.filter({ $0.source == id }) { end(key) }
        case .actions(let actions, let source):
            for action in actions { carryOut(action, of: source) }
        }
    }

    private func carryOut(_ action: FetchPlanner.Action, of source: WebSource) {
        let id = ObjectIdentifier(source)
        switch action {
        case .ask(let ask):
            guard let multi, let transfer = Transfer(ask, of: source, share: share, clock: clock) else {
                let failure = TransferFailure(error: .badAnswer("out of memory"), isLasting: true)
                return source.finish(ask.serial, failure)
            }
            transfers[Key(source: id, serial: ask.serial)] = transfer
            curl_multi_add_handle(multi, transfer.handle)
        case .resume(let serial):
            transfers[Key(source: id, serial: serial)]?.resume()
        case .abandon(let serial):
            end(Key(source: id, serial: serial))
        }
    }

    /// Reports finished transfers to their sources.
    func finishEnded() {
        guard let multi else { return }
        var code = CURLE_OK
        while let handle = shim_next_ended(multi, &code) {
            guard let (key, transfer) = transfers.first(where: { $0.value.handle == handle }) else {
                continue
            }
            transfers[key] = nil
            curl_multi_remove_handle(multi, handle)
            transfer.end(code)
        }
    }

    /// Handles expired deadlines of all sources.
    ///
    /// - Returns: The next deadline of all sources.
    func handleTimeouts() -> HostTime? {
        var next: HostTime?
        for (id, entry) in attended {
            guard let source = entry.source else {
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
        if let multi { curl_multi_remove_handle(multi, transfer.handle) }
        transfer.abandon()
    }
}
