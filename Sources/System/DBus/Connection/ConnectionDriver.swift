import CTuttiSystemd
import Glibc

/// One connection on the loop's thread: libsystemd's bus, its calls that wait for a reply, and its attempts.
final class ConnectionDriver {
    /// The wish of a connection to be woken: by a descriptor (-1 for none) and a time.
    struct Wish {
        var descriptor: Int32 = -1
        var events: Int16 = 0
        var deadline = Double.infinity
    }

    private enum Phase {
        /// Waits for the next attempt.
        case pausing(until: Double)
        /// The bus is greeted, and asked for the name with this index.
        case connecting(name: Int)
        case ready
        /// Sends what waits, until this time.
        case closing(by: Double)
        case over
    }

    private let plan: ConnectionPlan
    private let submitReply: @Sendable (UInt64, BusReply) -> Void
    private var phase = Phase.pausing(until: 0)
    private var bus: OpaquePointer?
    private var retry: RetryPolicy
    /// The calls that wait for a reply.
    private var waiting: [UInt64: OpaquePointer] = [:]
    private var lastCall: UInt64 = 0
    private var hasSignals = false
    private var unsentMessages = UnsentMessages()
    /// Whether messages may wait inside libsystemd.
    private var isBusy = false
    /// The reason why there is no name, until the end of the message that says so.
    private var refusal: String?

    /// - Parameter submitReply: Hands a reply to the thread of the loop, from any thread.
    init(
        _ plan: ConnectionPlan, retry: RetryPolicy,
        submitReply: @escaping @Sendable (UInt64, BusReply) -> Void
    ) {
        (self.plan, self.retry, self.submitReply) = (plan, retry, submitReply)
    }

    deinit { closeBus() }

    var isOver: Bool { if case .over = phase { true } else { false } }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ConnectionDriver? {
        context.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Opening and closing

    /// Begins an attempt.
    func open(at now: Double) {
        plan.handlers.state(.connecting)
        guard let address = plan.address.resolved else {
            return fail("There is no address of \(plan.address.name)", at: now)
        }
        var made: OpaquePointer?
        var result = sd_bus_new(&made)
        guard result >= 0, let made else { return fail(Self.words(result), at: now) }
        bus = made
        phase = .connecting(name: 0)
        result = address.withCString { sd_bus_set_address(made, $0) }
        if result >= 0 { result = sd_bus_set_bus_client(made, 1) }
        if result >= 0 { result = sd_bus_negotiate_fds(made, 0) }
        if result >= 0 {
            result = sd_bus_add_filter(
                made, nil,
                { message, context, _ in
                    message.flatMap { ConnectionDriver.from(context)?.receive($0) } ?? 0
                }, context)
        }
        if result >= 0 { result = sd_bus_start(made) }
        guard result >= 0 else {
            return fail("\(plan.address.name) cannot be reached: \(Self.words(result))", at: now)
        }
        isBusy = true
        requestName(0)
        if let refusal { fail(refusal, at: now) }
    }

    /// Asks for a name. A failure is a ``refusal``, as the bus must not be closed inside its own callback.
    private func requestName(_ index: Int) {
        guard let bus else { return }
        guard index < plan.names.count else {
            return refusal = "there is no name to request from \(plan.address.name)"
        }
        phase = .connecting(name: index)
        let result = plan.names[index].withCString { name in
            sd_bus_request_name_async(
                bus, nil, name, 0,
                { message, context, _ in
                    if let message { ConnectionDriver.from(context)?.receiveName(message) }
                    return 1
                }, context)
        }
        if result < 0 {
            refusal = "\(plan.address.name) cannot give a name: \(Self.words(result))"
        }
    }

    /// Takes the bus's answer to a request for a name.
    private func receiveName(_ message: OpaquePointer) {
        guard case .connecting(let index) = phase else { return }
        if let error = sd_bus_message_get_error(message) {
            let text = error.pointee.message.map { String(cString: $0) } ?? ""
            refusal = "\(plan.address.name) refuses the name \(plan.names[index]): \(text)"
            return
        }
        var answer: UInt32 = 0
        _ = sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &answer)
        // 1: this connection owns the name; 4: it did already.
        if answer == 1 || answer == 4 {
            phase = .ready
            retry.reset()
            hasSignals = false
            plan.handlers.state(.ready(name: plan.names[index]))
        } else if index + 1 < plan.names.count {
            requestName(index + 1)
        } else {
            refusal = "other programs have the name \(plan.names[index]) on \(plan.address.name)"
        }
    }

    private func fail(_ reason: String, at now: Double) {
        closeBus()
        if case .closing = phase { return phase = .over }
        phase = .pausing(until: now + retry.pause().seconds)
        plan.handlers.state(.failed(reason))
    }

    /// Sends what waits, then closes: at once if nothing does.
    func close(by deadline: Double) {
        switch phase {
        case .ready where unsent > 0: phase = .closing(by: deadline)
        case .closing: break
        default: end()
        }
    }

    private func end() {
        closeBus()
        phase = .over
    }

    private func closeBus() {
        for message in waiting.values { sd_bus_message_unref(message) }
        waiting = [:]
        (isBusy, refusal, unsentMessages) = (false, nil, UnsentMessages())
        guard let bus else { return }
        self.bus = nil
        sd_bus_close(bus)
        sd_bus_unref(bus)
    }

    private static func words(_ result: Int32) -> String { String(cString: strerror(-result)) }

    // MARK: Waiting

    func wish(at now: Double) -> Wish {
        var wish = Wish()
        switch phase {
        case .over: return wish
        case .pausing(let time):
            wish.deadline = time
            return wish
        case .closing(let time): wish.deadline = time
        case .connecting, .ready: break
        }
        guard let bus else { return wish }
        wish.descriptor = sd_bus_get_fd(bus)
        let events = sd_bus_get_events(bus)
        guard wish.descriptor >= 0, events >= 0 else {
            wish.deadline = now
            return wish
        }
        if isCongested {
            wish.events = Int16(POLLOUT)
            return wish
        }
        wish.events = Int16(truncatingIfNeeded: events)
        if isBusy || hasSignals && isReady { wish.deadline = now }
        var deadline: UInt64 = .max
        if sd_bus_get_timeout(bus, &deadline) >= 0, deadline != .max {
            wish.deadline = min(wish.deadline, Double(deadline) / 1e6)
        }
        return wish
    }

    private var isReady: Bool { if case .ready = phase { true } else { false } }

    private var unsent: UInt64 {
        var count: UInt64 = 0
        return bus.map { sd_bus_get_n_queued_write($0, &count) >= 0 ? count : 0 } ?? 0
    }

    /// Whether the bus takes messages more slowly than calls cause them: then nothing more is read.
    private var isCongested: Bool {
        let count = unsent
        unsentMessages.keep(count)
        return count >= BusLimits.unsentMessages || unsentMessages.bytes >= BusLimits.unsentBytes
    }

    // MARK: Working

    /// Moves messages.
    ///
    /// - Parameter ready: The events of the descriptor.
    func work(ready: Int16, at now: Double) {
        switch phase {
        case .over: return
        case .pausing(let time):
            if now >= time { open(at: now) }
            return
        case .connecting, .ready, .closing: break
        }
        // A bus that takes nothing is not read either.
        if isCongested, ready == 0 { return closeIfDone(at: now) }
        isBusy = true
        for _ in 0..<BusLimits.messagesInARow {
            guard step(at: now) else { break }
        }
        sendSignals()
        closeIfDone(at: now)
    }

    /// Handles one message.
    ///
    /// - Returns: Whether more may wait.
    private func step(at now: Double) -> Bool {
        guard let bus else { return false }
        let result = sd_bus_process(bus, nil)
        if let refusal {
            fail(refusal, at: now)
            return false
        }
        guard result >= 0, sd_bus_is_open(bus) > 0 else {
            fail("\(plan.address.name) has closed the connection", at: now)
            return false
        }
        guard result > 0 else {
            isBusy = false
            return false
        }
        return !isCongested
    }

    private func closeIfDone(at now: Double) {
        if case .closing(let deadline) = phase, unsent == 0 || now >= deadline { end() }
    }

    // MARK: Signals

    func setHasSignals() { hasSignals = true }

    private func sendSignals() {
        guard hasSignals, isReady, !isCongested else { return }
        hasSignals = false
        for signal in plan.handlers.signals() { send(signal) }
    }

    private func send(_ signal: BusSignal) {
        var message: OpaquePointer?
        guard let bus,
            sd_bus_message_new_signal(bus, &message, signal.path, signal.interface, signal.member) >= 0,
            let message
        else { return }
        defer { sd_bus_message_unref(message) }
        guard MessageWriter(message: message).append(signal.arguments) else { return }
        send(message, BusValue.byteCount(signal.arguments), bus)
    }

    /// Hands a message over; libsystemd keeps what the bus does not take now.
    private func send(_ message: OpaquePointer, _ bytes: Int, _ bus: OpaquePointer) {
        guard sd_bus_send(bus, message, nil) >= 0 else { return }
        unsentMessages.add(bytes + UnsentMessages.header)
        unsentMessages.keep(unsent)
    }

    // MARK: Calls

    /// Takes a message; libsystemd handles those that are no calls, and `org.freedesktop.DBus.Peer`.
    private func receive(_ message: OpaquePointer) -> Int32 {
        guard let call = MessageReader.call(message) else { return 0 }
        if call.interface == "org.freedesktop.DBus.Peer" {
            _ = sd_bus_message_rewind(message, 1)
            return 0
        }
        guard unsentMessages.bytes < BusLimits.mostUnsentBytes else {
            let text = "Too many replies wait. Try again."
            send(.failure(BusFailure(.limitsExceeded, text)), to: message)
            return 1
        }
        switch plan.handlers.call(call) {
        case .now(let reply): send(reply, to: message)
        case .later(let begin): wait(for: message, begin)
        }
        return 1
    }

    private func wait(for message: OpaquePointer, _ begin: (BusResponder) -> Void) {
        guard waiting.count < BusLimits.waitingCalls else {
            let text = "Too many commands wait. Try again."
            return send(.failure(BusFailure(.limitsExceeded, text)), to: message)
        }
        lastCall += 1
        let number = lastCall
        waiting[number] = sd_bus_message_ref(message)
        begin(BusResponder { [submitReply] reply in submitReply(number, reply) })
    }

    /// Replies to a call that waits.
    func reply(_ reply: BusReply, to call: UInt64) {
        guard let message = waiting.removeValue(forKey: call) else { return }
        send(reply, to: message)
        sd_bus_message_unref(message)
    }

    private func send(_ reply: BusReply, to call: OpaquePointer) {
        guard let bus, sd_bus_message_get_expect_reply(call) > 0 else { return }
        switch reply {
        case .failure(let failure): send(failure, to: call)
        case .values(let values):
            let bytes = BusValue.byteCount(values)
            guard bytes <= BusLimits.replyBytes else {
                let text = "The reply would have more than \(BusLimits.replyBytes) bytes."
                return send(BusFailure(.limitsExceeded, text), to: call)
            }
            var message: OpaquePointer?
            guard sd_bus_message_new_method_return(call, &message) >= 0, let message else {
                return send(.unwritable, to: call)
            }
            defer { sd_bus_message_unref(message) }
            guard MessageWriter(message: message).append(values) else {
                return send(.unwritable, to: call)
            }
            send(message, bytes, bus)
        }
    }

    private func send(_ failure: BusFailure, to call: OpaquePointer) {
        // A caller without any reply would wait for half a minute.
        if !sendError(failure, to: call) { _ = sendError(.unwritable, to: call) }
    }

    private func sendError(_ failure: BusFailure, to call: OpaquePointer) -> Bool {
        let message = BusText.sendable(failure.message)
        let result = failure.name.withCString { name in
            message.withCString { text in
                var error = sd_bus_error(name: name, message: text, _need_free: 0)
                return sd_bus_reply_method_error(call, &error)
            }
        }
        guard result >= 0 else { return false }
        unsentMessages.add(message.utf8.count + UnsentMessages.header)
        unsentMessages.keep(unsent)
        return true
    }
}

extension BusFailure {
    fileprivate static let unwritable = BusFailure(.failed, "The reply cannot be written.")
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { self / .seconds(1) }
}
