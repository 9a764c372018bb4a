import AirPlayMessages
import Cryptography
import Dispatch
import MediaTime
import RTP
import Synchronization
import SystemIO

/// One speaker's stream: numbers, seals and writes the packets of the store, as far ahead as the speaker's
/// buffer allows.
///
/// All state is confined to the connection's queue. A slow speaker delays only its own queue.
final class BufferedStream: @unchecked Sendable {
    // Safe to share: every stored `var` is accessed only on `connection.queue` (asserted in `pump()`).

    /// The number of batches per turn of the queue, so that a start does not wait for a whole fill.
    private static let batchesPerTurn = 4

    let connection: TCPConnection
    private let store: PacketStore
    private let clock: any HostClock
    private let formatCode: @Sendable (AudioWireFormat) -> UInt32

    /// The sealer, which counts its nonces and so exists once per key; `nil` after another stream has taken over.
    private var sealer: BufferedPacketSealer?
    private var window: SendWindow
    private var sent = SentPackets()
    private var nextSequence: SequenceNumber
    private var nextIndex: Int64 = 0
    /// The RTP time of timeline frame 0; new after every immediate flush.
    private var base: RTPTime
    /// The greatest end of all packets ever sent.
    private var timeEnd: RTPTime
    /// Whether nothing has been sent since the last immediate flush.
    private var isFresh = true
    private var line: FrameLine?
    private var isHeld = false
    private var packetCount: Int64 = 0
    /// The format of the last sealed packet; `nil` before the first.
    private var lastFormat: AudioWireFormat?
    /// The first frame sent since the last immediate flush; `nil` when none was.
    private var firstFrame: Int64?
    /// The frame of the start that restarted sending; none of its sound may have arrived yet.
    private var preparedFrame: Int64?
    /// Whether the speaker has played or dropped part of what was sent since the last flush.
    private var isUsed = false
    /// The first frame that the stopped speaker still holds, with all that was sent after it; `nil` when unknown.
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

    /// Takes over from `other` with a new connection, from `index` of the store on. Call it on the other's queue.
    private init(continuing other: BufferedStream, over connection: TCPConnection, at index: Int64) {
        self.connection = connection
        (store, clock, formatCode) = (other.store, other.clock, other.formatCode)
        sealer = other.sealer.take()
        (window, sent) = (other.window, other.sent)
        // Never reuse a sequence number: packets sent again get new numbers at their old times.
        (nextSequence, nextIndex, packetCount) = (other.nextSequence, index, other.packetCount)
        (base, timeEnd, isFresh) = (other.base, other.timeEnd, other.isFresh)
        (line, firstFrame, isUsed) = (other.line, other.firstFrame, other.isUsed)
        window.restart()
        watch = store.watch { [weak self] in self?.pumpSoon() }
    }

    /// Returns a stream that continues this one on another connection, after the old one has broken; this
    /// stream ends.
    ///
    /// - Parameter sequence: The number after the last packet that the speaker has.
    /// - Returns: `nil` when the store has evicted sound that the speaker lacks.
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

    // MARK: Commands, from any thread

    /// Sets the line along which the speaker plays; `nil` while it plays nothing.
    func setLine(_ line: FrameLine?) {
        connection.queue.async { [self] in
            if let old = self.line { sent.played(to: old.frame(at: clock.now)) }
            self.line = line
            if line != nil { (isUsed, heldFrom) = (true, nil) }
            pump()
        }
    }

    /// Notes that the speaker is about to be stopped.
    ///
    /// - Returns: The first frame that the speaker has not played yet; `nil` when it plays nothing.
    func stop() async -> Int64? {
        await onQueue { [self] in
            defer { line = nil }
            guard let line else { return nil }
            let frame = line.frame(at: clock.now)
            sent.played(to: frame)
            return frame
        }
    }

    /// Notes that the stopped speaker still has `frame` and all that was sent after it.
    func keep(from frame: Int64) async {
        await onQueue { [self] in
            if let firstFrame { heldFrom = max(frame, firstFrame) }
        }
    }

    /// Makes the next start flush, because the speaker may not have what was sent.
    func requireFlush() async {
        await onQueue { [self] in
            if firstFrame != nil { (isUsed, heldFrom) = (true, nil) }
        }
    }

    /// Restarts after everything was dropped, here and in the store; sends the sound that comes.
    ///
    /// - Returns: The position from which the speaker must keep packets; `nil` when it has none to drop.
    func clear() async -> (sequence: SequenceNumber, time: RTPTime)? {
        await onQueue { [self] in
            let flush = firstFrame == nil ? nil : (sequence: nextSequence, time: timeEnd)
            restart(at: store.index(holding: .min, leading: 0), isHeld: false)
            return flush
        }
    }

    /// Stops sending; returns the flush position as ``clear()`` does.
    func finish() async -> (sequence: SequenceNumber, time: RTPTime)? {
        await onQueue { [self] in
            isHeld = true
            return firstFrame == nil ? nil : (sequence: nextSequence, time: timeEnd)
        }
    }

    /// Prepares a start at `frame`: sends from there, unless the sound already sent will do.
    func prepareStart(at frame: Int64) async -> StartPoint {
        await onQueue { [self] in
            var flush: (sequence: SequenceNumber, time: RTPTime)?
            let oldFormat = lastFormat
            if !holds(frame) {
                if firstFrame != nil { flush = (nextSequence, timeEnd) }
                // While a cut is open, the store has sound that is about to be replaced: stay held.
                restart(at: startIndex(for: frame), isHeld: isHeld)
                preparedFrame = frame
            }
            if isFresh { rebase(firstFrame: frame) }
            return StartPoint(time: base.advanced(by: frame), flush: flush, oldFormat: oldFormat)
        }
    }

    /// Returns whether the speaker has `frame`, or will be sent it soon.
    private func holds(_ frame: Int64) -> Bool {
        if frame == preparedFrame, !isUsed { return true }
        guard let first = isUsed ? heldFrom : firstFrame, first <= frame else { return false }
        let limit = (sent.endFrame ?? first) + Self.worthSending
        return frame <= limit
    }

    /// The distance, in frames, from the last sent packet up to which a start waits for the sound in between;
    /// beyond it sending restarts.
    private static let worthSending: Int64 = 3 * 44_100

    /// Returns where to start reading. AAC needs the two packets before the wanted one: the speaker may drop
    /// the first of a run and mutes the next, and both prepare the decoder.
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

    /// Moves RTP time forward at every flush, by more than a speaker decodes ahead: old sound left in the
    /// speaker is then late, and does not hide the new sound.
    private func rebase(firstFrame frame: Int64) {
        let step = packetCount == 0 ? 0 : Self.stepAfterFlush
        base = timeEnd.advanced(by: step - frame)
        isFresh = false
    }

    private static let stepAfterFlush: Int64 = 96_000

    /// Stops sending, and withdraws the packets sent from `frame` on.
    ///
    /// - Parameter forcesRestart: Whether the next start flushes the speaker, because it is not told now.
    /// - Returns: The range that the speaker must skip; `nil` when it has nothing of it.
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

    /// Returns the RTP time of a timeline frame, for displays.
    func time(of frame: Int64) async -> RTPTime {
        await onQueue { [self] in base.advanced(by: frame) }
    }

    /// Resumes after ``withdraw(from:forcesRestart:)``, with the packets that follow `frame` in the store.
    func resume(from frame: Int64) {
        connection.queue.async { [self] in
            isHeld = false
            // Never skip forward: this speaker may not have been sent all that precedes `frame`. Replacement
            // packets have higher indices than the old ones.
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

    /// Waits until everything before `frame` has been written to the connection, but at most for `patience`.
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

    /// Seals packets up to about `limit` bytes; returns `false` when the store has none.
    private func sealBatch(limit: Int) -> Bool {
        batch.removeAll()
        while batch.byteCount < limit, let packet = store.packet(atOrAfter: nextIndex) {
            let isFirst = firstFrame == nil
            if isFirst { leadIn(before: packet) }
            // One frame early, the first AAC packet of a run makes the second one silent in every case,
            // whether or not the speaker dropped the first.
            let shift: Int64 = isFirst && packet.format.codec == .aacLC ? -1 : 0
            seal(packet, frame: packet.frame, shift: shift)
            // Not the lead-in silence: a start there must be heard.
            if isFirst { firstFrame = packet.frame }
            nextIndex = packet.index + 1
        }
        window.sent(batch.byteCount)
        return batch.byteCount > 0
    }

    /// Sends silence before the first packet of a run: a speaker may drop the first packet, and corrects its
    /// first error in the next.
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
            // Sealing fails only when the cipher library does; then the packet is a gap of its own length.
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
