import Glibc
import TuttiSystemIO

/// The work of a loop's thread. Belongs to that thread.
final class LoopThread {
    /// Milliseconds after a wait that the system refuses.
    private static let pauseAfterFailure: Int32 = 100

    private let inbox: LoopInbox
    private let pipe: WakePipe
    private var drivers: [UInt64: ConnectionDriver] = [:]
    private var isEnding = false

    init(_ inbox: LoopInbox, _ pipe: WakePipe) { (self.inbox, self.pipe) = (inbox, pipe) }

    /// The monotonic clock in seconds, which is also libsystemd's.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Serves until the inbox ends.
    func run() {
        // A write to a bus that is gone would end the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while true {
            perform(inbox.take())
            for (number, driver) in drivers where driver.isOver { drivers[number] = nil }
            if isEnding, drivers.isEmpty { return }
            wait()
        }
    }

    private func perform(_ batch: LoopInbox.Batch) {
        let now = Self.now
        for command in batch.commands {
            switch command {
            case .open(let number, let plan):
                let driver = ConnectionDriver(plan, retry: inbox.retry) { [inbox] call, reply in
                    inbox.submit(.reply(connection: number, call: call, reply))
                }
                drivers[number] = driver
                driver.open(at: now)
            case .close(let number):
                drivers[number]?.close(by: now + inbox.closingPatience)
            case .reply(let number, let call, let reply):
                drivers[number]?.reply(reply, to: call)
            }
        }
        for number in batch.signals { drivers[number]?.setHasSignals() }
        if batch.isEnding, !isEnding {
            isEnding = true
            for driver in drivers.values { driver.close(by: now + inbox.closingPatience) }
        }
    }

    /// Waits for the bus, a deadline or a command, and lets the connections work.
    private func wait() {
        let now = Self.now
        let all = Array(drivers.values)
        var descriptors = [pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)]
        var deadline = Double.infinity
        for driver in all {
            let wish = driver.wish(at: now)
            descriptors.append(pollfd(fd: wish.descriptor, events: wish.events, revents: 0))
            deadline = min(deadline, wish.deadline)
        }
        let milliseconds = max(0, min(60_000, ((deadline - now) * 1e3).rounded(.up)))
        let timeout = deadline == .infinity ? -1 : Int32(milliseconds)
        if poll(&descriptors, nfds_t(descriptors.count), timeout) < 0, errno != EINTR {
            // Without memory for the call, for instance; trying at once again would only burn the processor.
            _ = poll(nil, 0, Self.pauseAfterFailure)
            return
        }
        if descriptors[0].revents != 0 { pipe.clear() }
        let then = Self.now
        for (driver, ready) in zip(all, descriptors.dropFirst()) {
            driver.work(ready: ready.revents, at: then)
        }
    }
}
