import Synchronization
import TuttiMediaTime

/// A log of the requests made for one reader, updated while the reader runs. Thread-safe.
package final class TransferLog: Sendable {
    /// The most records kept; older records are dropped, but ``totals`` still count them.
    package static let recordLimit = 256

    fileprivate struct State {
        var records: [TransferRecord] = []
        var totals = TransferTotals()
        /// Increases with each begun, answered or ended request.
        var revision = 0
    }

    private let state = Mutex(State())

    /// Creates an empty log.
    package init() {}

    /// The latest requests, oldest first.
    package var records: [TransferRecord] { state.withLock { $0.records } }

    /// Sums over all requests.
    package var totals: TransferTotals { state.withLock { $0.totals } }

    /// Increases with each begun, answered or ended request; an unchanged value means that only byte counts
    /// changed.
    package var revision: Int { state.withLock { $0.revision } }

    func begin(
        address: String, cause: TransferRecord.Cause, offset: Int64, at now: HostTime
    ) -> Int {
        state.withLock { state in
            let number = state.totals.requestCount
            state.totals.requestCount += 1
            if cause.isRetry { state.totals.retryCount += 1 }
            state.records.append(
                TransferRecord(
                    number: number, address: WebAddress.withoutCredentials(address), cause: cause,
                    offset: offset, began: now))
            if state.records.count > Self.recordLimit { state.records.removeFirst() }
            state.revision += 1
            return number
        }
    }

    func answered(_ number: Int, status: Int, address: String, server: String?) {
        change(number) { record in
            record.status = status
            record.address = WebAddress.withoutCredentials(address)
            record.serverAddress = server
        }
    }

    func received(_ number: Int, byteCount: Int, duration: Duration) {
        state.withLock { state in
            state.totals.byteCount += Int64(byteCount)
            guard let index = state.index(of: number) else { return }
            state.records[index].byteCount += Int64(byteCount)
            state.records[index].duration = duration
        }
    }

    func ended(_ number: Int, failure: String?) {
        change(number) { record in
            record.failure = failure
            record.isRunning = false
        }
        if failure != nil { state.withLock { $0.totals.failureCount += 1 } }
    }

    private func change(_ number: Int, _ body: (inout TransferRecord) -> Void) {
        state.withLock { state in
            state.revision += 1
            if let index = state.index(of: number) { body(&state.records[index]) }
        }
    }
}

extension TransferLog.State {
    fileprivate func index(of number: Int) -> Int? {
        guard let first = records.first, number >= first.number, number - first.number < records.count else {
            return nil
        }
        return number - first.number
    }
}
