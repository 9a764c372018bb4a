import AirPlayMessages
import Cryptography
import Dispatch
import MediaTime
import RTP
import Synchronization
import SystemIO

/// One speaker's share of the sound: numbers, seals and writes what the store holds, as far ahead as the
/// speaker takes it.
///
/// All state belongs to the connection's queue. A slow speaker holds up nothing but its own queue.
final class BufferedStream: @unchecked Sendable {
    // Safe to share: every stored `var` is touched only on `connection.queue` (asserted at the doors).

    /// Batches between two looks at what else is asked of the queue: a start does not wait for a whole fill.
    private static let batchesPerTurn = 4

    let connection: TCPConnection
    private let store: PacketStore
    private let clock: any HostClock
    private let formatCode: @Sendable (AudioWireFormat) -> UInt32

    /// Counts its nonces, so there is one for the key; `nil` when the stream has gone over to another connection.
    private var sealer: BufferedPacketSealer?
    private var window: SendWindow
    private var sent = SentPackets()
    private var nextSequence: SequenceNumber
    private var nextIndex: Int64 = 0
    /// RTP time of timeline frame 0; new after every immediate flush.
    private var base: RTPTime
    /// End of what was ever sent.
    private var timeEnd: RTPTime
    /// Nothing has been sent since the last immediate flush.
    private var isFresh = true
    private var line: PlayLine?
    private var isHeld = false
    private var packetCount: Int64 = 0
    /// Of the last packet that was sealed; `nil` before the first.
    private var lastFormat: AudioWireFormat?
    /// First frame sent since the last immediate flush; `nil` when nothing was.
    private var firstFrame: Int64?
    /// The start that sending began anew for; nothing of it may be there yet.
    private var preparedFrame: Int64?
    /// Whether the speaker has played, or thrown away, part of what was sent since the last flush.
    private var isUsed = false
    /// First frame that the stopped speaker still has, with all that was sent behind it; `nil` when that is not known.
    private var heldFrom: Int64?
    private var isFull = false
    private var unread = UnreadWatch()

    private var batch = SealedBatch()
    private var arrivals = SentWaiters()

    private let isPumpQueued = Atomic<Bool>(false)
    private var timerRound = 0
    private var isAwaitingWritable = false
    private var watch: Int?
    private var isClosed = false

    init(
        connection: TCPConnection, store: PacketStore, parameters: Parameters,
        clock: any HostClock = SystemClock()
    ) throws(CryptographyError) {
        self.connection = connection
        self.store = store
        self.clock = clock
        formatCode = parameters.formatCode
        nextSequence = parameters.firstSequence
        (base, timeEnd) = (parameters.firstTime, parameters.firstTime)
        sealer = try BufferedPacketSealer(
            key: parameters.key,
            style: parameters.headerStyle == .classicRTP16 ? .classicRTP16 : .formatCode23)
        window = SendWindow(
            bufferBytes: parameters.bufferBytes,
            slowReaderBytesPerSecond: parameters.slowReaderBytesPerSecond)
        watch = store.watch { [weak self] in self?.pumpSoon() }
    }

    /// Goes on with `other` over a new connection, from `index` of the store on; on the other's queue.
    private init(continuing other: BufferedStream, over connection: TCPConnection, at index: Int64) {
        self.connection = connection
        (store, clock, formatCode) = (other.store, other.clock, other.formatCode)
        sealer = other.sealer.take()
        (window, sent) = (other.window, other.sent)
        // Never a number again: what is sent anew gets new ones, at the times it had.
        (nextSequence, nextIndex, packetCount) = (other.nextSequence, index, other.packetCount)
        (base, timeEnd, isFresh) = (other.base, other.timeEnd, other.isFresh)
        (line, firstFrame, isUsed) = (other.line, other.firstFrame, other.isUsed)
        window.restart()
        watch = store.watch { [weak self] in self?.pumpSoon() }
    }

    /// The same stream over another connection, after the old one has broken; this one sends no more.
    ///
    /// - Parameter sequence: The number after the last packet that the speaker has.
    /// - Returns: `nil` when what the speaker lacks is not kept any more.
    func continued(over connection: TCPConnection, at sequence: SequenceNumber) async -> BufferedStream? {
        await onQueue { [self] in
            isClosed = true
            if let line { sent.played(to: line.frame(at: clock.now)) }
            var index = nextIndex
            if let first = sent.takeBack(from: sequence) {
                guard let packet = store.packet(holding: first.frame), packet.frame == first.frame else {
                    return nil
                }
                index = packet.index
            }
            let next = BufferedStream(continuing: self, over: connection, at: index)
            next.pumpSoon()
            return next
        }
    }

    // MARK: Doors, from any thread

    /// The line along which the speaker plays; `nil` while it plays nothing.
    func setLine(_ line: PlayLine?) {
        connection.queue.async { [self] in
            if let old = self.line { sent.played(to: old.frame(at: clock.now)) }
            self.line = line
            if line != nil { (isUsed, heldFrom) = (true, nil) }
            pump()
        }
    }

    /// The speaker is about to be stopped.
    ///
    /// - Returns: the first frame that it has not played yet; `nil` when it plays nothing.
    func stop() async -> Int64? {
        await onQueue { [self] in
            defer { line = nil }
            guard let line else { return nil }
            let frame = line.frame(at: clock.now)
            sent.played(to: frame)
            return frame
        }
    }

    /// The speaker has stopped, and still has `frame` and all that was sent behind it.
    func keep(from frame: Int64) async {
        await onQueue { [self] in
            if let firstFrame { heldFrom = max(frame, firstFrame) }
        }
    }

    /// Has the next start flush: the speaker may not have what was sent.
    func requireFlush() async {
        await onQueue { [self] in
            if firstFrame != nil { (isUsed, heldFrom) = (true, nil) }
        }
    }

    /// Everything was dropped at once, here and in the store: goes on with what comes.
    ///
    /// - Returns: from where on the speaker keeps packets, when it has any to drop.
    func clear() async -> (sequence: SequenceNumber, time: RTPTime)? {
        await onQueue { [self] in
            let flush = firstFrame == nil ? nil : (sequence: nextSequence, time: timeEnd)
            restart(at: store.index(holding: .min, leading: 0), isHeld: false)
            return flush
        }
    }

    /// Sends no more; what ``clear()`` returns.
    func finish() async -> (sequence: SequenceNumber, time: RTPTime)? {
        await onQueue { [self] in
            isHeld = true
            return firstFrame == nil ? nil : (sequence: nextSequence, time: timeEnd)
        }
    }

    /// Makes ready for a start at `frame`: sends from there, unless what was sent already will do.
    func prepareStart(at frame: Int64) async -> StartPoint {
        await onQueue { [self] in
            var flush: (sequence: SequenceNumber, time: RTPTime)?
            let oldFormat = lastFormat
            if !holds(frame) {
                if firstFrame != nil { flush = (nextSequence, timeEnd) }
                // While a cut is open, the store has sound that is about to be replaced.
                restart(at: startIndex(for: frame), isHeld: isHeld)
                preparedFrame = frame
            }
            if isFresh { rebase(firstFrame: frame) }
            return StartPoint(time: base.advanced(by: frame), flush: flush, oldFormat: oldFormat)
        }
    }

    /// Whether the speaker has `frame`, or is sent it soon.
    private func holds(_ frame: Int64) -> Bool {
        if frame == preparedFrame, !isUsed { return true }
        guard let first = isUsed ? heldFrom : firstFrame, first <= frame else { return false }
        let limit = (sent.endFrame ?? first) + Self.worthSending
        return frame <= limit
    }

    /// A start this far behind the last packet sent waits for what lies between; further away it begins anew.
    private static let worthSending: Int64 = 3 * 44_100

    /// AAC needs the two packets before the wanted one: the first of a run may be thrown away by the
    /// speaker, the next is not heard, and both prepare the decoder.
    private func startIndex(for frame: Int64) -> Int64 {
        let isAAC = store.packet(holding: frame)?.format.codec == .aacLC
        return store.index(holding: frame, leading: isAAC ? 2 : 0)
    }

    private func restart(at index: Int64, isHeld: Bool) {
        sent.removeAll()
        window.restart()
        (firstFrame, line, isUsed, heldFrom, isFresh) = (nil, nil, false, nil, true)
        preparedFrame = nil
        (nextIndex, self.isHeld) = (index, isHeld)
        pump()
    }

    /// RTP time goes on forward through every flush, by more than a speaker has decoded ahead: what it
    /// still has of the old sound is then late, and what it expects does not hide the new one.
    private func rebase(firstFrame frame: Int64) {
        let step = packetCount == 0 ? 0 : Self.stepAfterFlush
        base = timeEnd.advanced(by: step - frame)
        isFresh = false
    }

    private static let stepAfterFlush: Int64 = 96_000

    /// Stops sending, and takes back what was sent from `frame` on.
    ///
    /// - Parameter forcesRestart: the speaker is not told; the next start drops all it has.
    /// - Returns: the range the speaker must skip; `nil` when it has nothing of it.
    @discardableResult
    func withdraw(from frame: Int64, forcesRestart: Bool = false) async -> Range? {
        await onQueue { [self] in
            isHeld = true
            if forcesRestart, firstFrame != nil { (isUsed, heldFrom) = (true, nil) }
            if let line { sent.played(to: line.frame(at: clock.now)) }
            guard let first = sent.first(endingAfter: frame), let end = sent.endFrame else { return nil }
            let range = Range(
                fromSequence: first.sequence, fromTime: base.advanced(by: first.frame),
                untilSequence: nextSequence, untilTime: base.advanced(by: end))
            sent.withdraw(from: first)
            return range
        }
    }

    /// The RTP time of a timeline frame, for displays.
    func time(of frame: Int64) async -> RTPTime {
        await onQueue { [self] in base.advanced(by: frame) }
    }

    /// Goes on after ``withdraw(from:)``, with the packets that follow `frame` in the store.
    func goOn(from frame: Int64) {
        connection.queue.async { [self] in
            isHeld = false
            // Never forward: this speaker may not have been sent all that comes before `frame`. What was
            // put in the place of old packets has higher numbers than they had.
            nextIndex = min(nextIndex, store.index(holding: frame, leading: 0))
            pump()
        }
    }

    func progress() async -> Progress {
        await onQueue { [self] in
            if let line { sent.played(to: line.frame(at: clock.now)) }
            return Progress(
                endFrame: sent.endFrame, speakerBytes: sent.byteCount, packets: packetCount,
                isDrained: store.packet(atOrAfter: nextIndex) == nil && batch.byteCount == 0, isFull: isFull,
                unread: unread.look(waitingBytes: connection.unsentBytes + batch.byteCount, at: clock.now))
        }
    }

    func close() {
        connection.queue.async { [self] in
            isClosed = true
            if let watch { store.unwatch(watch) }
            watch = nil
        }
        connection.close()
    }

    /// Waits until all before `frame` has been written to the speaker, or for `patience`.
    func waitForSending(to frame: Int64, patience: Duration) async {
        await withCheckedContinuation { continuation in
            connection.queue.async { [self] in
                if let end = sent.endFrame, end >= frame, batch.byteCount == 0 {
                    return continuation.resume()
                }
                let waiter = arrivals.add(continuation, for: frame)
                let limit = DispatchTime.now() + .nanoseconds(Int(clamping: patience.wholeNanoseconds))
                connection.queue.asyncAfter(deadline: limit) { self.arrivals.giveUp(waiter) }
            }
        }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            connection.queue.async { continuation.resume(returning: body()) }
        }
    }

    // MARK: Sending, on the queue

    func pumpSoon() {
        guard !isPumpQueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
        connection.queue.async { [self] in
            isPumpQueued.store(false, ordering: .releasing)
            pump()
        }
    }

    private func pump() {
        dispatchPrecondition(condition: .onQueue(connection.queue))
        for _ in 0..<Self.batchesPerTurn {
            if isClosed { return }
            if batch.byteCount > 0, !batch.write(to: connection) { return awaitWritable() }
            if let end = sent.endFrame { arrivals.tell(of: end) }
            guard !isHeld else { return }
            if let line { sent.played(to: line.frame(at: clock.now)) }
            let now = clock.now
            let verdict = window.verdict(
                kernelBytes: connection.unsentBytes, speakerBytes: sent.byteCount, at: now)
            isFull = verdict == .speakerFull
            switch verdict {
            case .send(let limit):
                guard sealBatch(limit: min(limit, SealedBatch.byteLimit)) else { return }
            case .kernelFull:
                return wake(after: .milliseconds(10))
            case .speakerFull:
                return wakeWhenPlayed()
            case .paced(let pause):
                return wake(after: pause)
            }
        }
        pumpSoon()
    }

    /// Seals packets up to about `limit` bytes. False when the store has none.
    private func sealBatch(limit: Int) -> Bool {
        batch.removeAll()
        while batch.byteCount < limit, let packet = store.packet(atOrAfter: nextIndex) {
            let isFirst = firstFrame == nil
            if isFirst { leadIn(before: packet) }
            // One frame early, the first AAC packet of a run makes the second one silent in every case:
            // whether the speaker threw the first away or not.
            let shift: Int64 = isFirst && packet.format.codec == .aacLC ? -1 : 0
            seal(packet, frame: packet.frame, shift: shift)
            // Not the silence before it: a start there is to be heard.
            if isFirst { firstFrame = packet.frame }
            nextIndex = packet.index + 1
        }
        window.sent(batch.byteCount)
        return batch.byteCount > 0
    }

    /// Silence before the first packet of a run: a speaker may throw the first one away, and corrects
    /// its first error in the next.
    private func leadIn(before packet: PacketStore.Packet) {
        guard let silence = store.silence(packet.format) else { return }
        for distance in [Int64(2), 1] {
            seal(silence, frame: packet.frame - distance * Int64(silence.frameCount), shift: 0)
        }
    }

    private func seal(_ packet: PacketStore.Packet, frame: Int64, shift: Int64) {
        let room = batch.room
        guard packet.byteCount + 64 <= SealedBatch.largestPacket, packet.byteCount + 64 <= room.count else {
            return
        }
        if isFresh { rebase(firstFrame: frame) }
        let time = base.advanced(by: frame + shift)
        let byteCount = packet.withPayload { payload in
            // Sealing fails only when the cipher library does; then the packet is a hole of its own length.
            try? sealer?.seal(
                payload: payload, sequence: nextSequence, rtpTime: time,
                formatCode: formatCode(packet.format),
                into: room)
        }
        guard let byteCount else { return }
        sent.append(
            SentPackets.Entry(
                frame: frame, frameCount: packet.frameCount, sequence: nextSequence,
                byteCount: Int32(byteCount)))
        if firstFrame == nil { firstFrame = frame }
        let end = base.advanced(by: frame + Int64(packet.frameCount))
        if end.frames(since: timeEnd) > 0 { timeEnd = end }
        nextSequence = nextSequence.advanced(by: 1)
        packetCount += 1
        lastFormat = packet.format
        batch.append(byteCount)
    }

    private func awaitWritable() {
        guard !isAwaitingWritable else { return }
        isAwaitingWritable = true
        connection.notifyWhenWritable { [weak self] in
            guard let self else { return }
            self.isAwaitingWritable = false
            self.pump()
        }
    }

    private func wakeWhenPlayed() {
        guard let line, let frame = sent.frameAfterReleasing(bytes: SealedBatch.byteLimit) else { return }
        let delay = line.host(of: frame).since(clock.now)
        wake(after: max(.milliseconds(20), min(delay, .seconds(2))))
    }

    private func wake(after delay: Duration) {
        timerRound += 1
        let round = timerRound
        connection.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay.wholeNanoseconds))) {
            [weak self] in
            guard let self, self.timerRound == round else { return }
            self.pump()
        }
    }
}
