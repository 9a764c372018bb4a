import AirPlayMessages
import Synchronization
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

/// One speaker's stream: numbers, seals and writes the packets of the store, as far ahead as the speaker's
/// buffer allows.
///
/// All state is confined to the connection's queue. A slow speaker delays only its own queue.
final class BufferedStream: @unchecked Sendable {
    // Safe to share: every stored `var` is accessed only on `connection.queue` (asserted in `pump()`).

    /// The number of batches per turn of the queue, so that a start does not wait for a whole fill.
    private static let batchesPerTurn = 4

    let connection: TCPConnection
    private let store: any PacketReading
    private let clock: any HostClock
    private let formatCode: @Sendable (AudioWireFormat) -> UInt32
    private let skipLead: Duration

    /// The sealer, which counts its nonces and so exists once per key; `nil` after another stream has taken over.
    private var sealer: BufferedPacketSealer?
    private var window: SendWindow
    private var contents = SpeakerContents()
    private var numbering: PacketNumbering
    /// The store's index of the next packet.
    private var nextIndex: Int64 = 0
    /// The frame of a prepared start, until its first packet is sent; packets before it are skipped.
    private var skipsUntil: Int64?
    private var isHeld = false
    private var isReleased = true
    /// The format of the last sealed packet; `nil` before the first.
    private var lastFormat: AudioWireFormat?
    private var isFull = false
    private var unread = UnreadWatch()

    private var batch = SealedBatch()
    private var waiters = WriteWaiters()

    private let isPumpQueued = Atomic<Bool>(false)
    /// The next look at what the connection and the speaker take.
    private let wakeUp: QueueWakeUp
    private var isAwaitingWritable = false
    private var watch: Int?
    private var isClosed = false

    convenience init(
        connection: TCPConnection, store: any PacketReading, parameters: Parameters,
        clock: any HostClock
    ) throws(CryptographyError) {
        let sealer = try BufferedPacketSealer(key: parameters.key, style: parameters.headerStyle)
        self.init(connection, store, parameters, clock, sealer)
    }

    private init(
        _ connection: TCPConnection, _ store: any PacketReading, _ parameters: Parameters,
        _ clock: any HostClock, _ sealer: consuming BufferedPacketSealer?
    ) {
        (self.connection, self.store, self.clock) = (connection, store, clock)
        wakeUp = QueueWakeUp(on: connection.queue)
        (formatCode, skipLead) = (parameters.formatCode, parameters.skipLead)
        self.sealer = sealer
        numbering = PacketNumbering(
            firstSequence: parameters.firstSequence, firstTime: parameters.firstTime)
        window = SendWindow(
            bufferBytes: parameters.bufferBytes,
            slowReaderBytesPerSecond: parameters.slowReaderBytesPerSecond)
        isReleased = !parameters.waitsForRelease
        watch = store.watch { [weak self] in self?.pumpSoon() }
    }

    /// Takes over from `other` with a new connection, from `index` of the store on. Call it on the other's queue.
    private init(continuing other: BufferedStream, over connection: TCPConnection, at index: Int64) {
        self.connection = connection
        wakeUp = QueueWakeUp(on: connection.queue)
        (store, clock, formatCode) = (other.store, other.clock, other.formatCode)
        skipLead = other.skipLead
        sealer = other.sealer.take()
        (window, contents) = (other.window, other.contents)
        // Never reuse a sequence number: packets sent again get new numbers at their old times.
        (numbering, nextIndex) = (other.numbering, index)
        (skipsUntil, isHeld, isReleased) = (other.skipsUntil, other.isHeld, other.isReleased)
        window.restart()
        watch = store.watch { [weak self] in self?.pumpSoon() }
    }

    /// Returns a new stream with this one's key on another connection, for a speaker that has lost all of this stream, which
    /// ends.
    func renewed(over connection: TCPConnection, _ parameters: Parameters) -> BufferedStream {
        onQueue {
            isClosed = true
            // The speaker has been told the same key: a counter that began again would use its nonces twice.
            return BufferedStream(connection, store, parameters, clock, sealer.take())
        }
    }

    /// Returns a stream that continues this one on another connection, after the old one has broken; this
    /// stream ends.
    ///
    /// - Parameter sequence: The number after the last packet that the speaker has.
    /// - Returns: `nil` when the store has evicted sound that the speaker lacks.
    func continued(over connection: TCPConnection, at sequence: SequenceNumber) -> BufferedStream? {
        onQueue {
            isClosed = true
            contents.played(by: clock.now)
            var index = nextIndex
            if let first = contents.takeBack(from: sequence) {
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

    /// Lets a stream that waits for it begin to send. Idempotent.
    func release() {
        connection.queue.async { [self] in
            guard !isReleased else { return }
            isReleased = true
            pump()
        }
    }

    /// Sets the line along which the speaker plays; `nil` while it plays nothing.
    func setLine(_ line: FrameLine?) {
        connection.queue.async { [self] in
            contents.play(along: line, at: clock.now)
            pump()
        }
    }

    /// Notes that the speaker is about to be stopped; see ``SpeakerContents/stop(at:)``.
    func stop() -> Int64? { onQueue { contents.stop(at: clock.now) } }

    /// Notes that the stopped speaker still has `frame` and all that was sent after it.
    func keep(from frame: Int64) { onQueue { contents.keep(from: frame) } }

    /// Makes the next start flush, because the speaker may not have what was sent.
    func requireFlush() { onQueue { contents.distrust() } }

    /// Restarts after everything was dropped, here and in the store; sends the sound that comes.
    ///
    /// - Parameter keepsHold: Whether a stream that is held stays so until ``resume(from:)``.
    /// - Returns: The position from which the speaker must keep packets; `nil` when it has none to drop.
    func clear(keepsHold: Bool = false) -> (sequence: SequenceNumber, time: RTPTime)? {
        onQueue {
            let flush = flushPoint
            restart(at: store.index(holding: .min, leading: 0), isHeld: keepsHold && isHeld)
            return flush
        }
    }

    /// Stops sending; returns the flush position as ``clear()`` does.
    func finish() -> (sequence: SequenceNumber, time: RTPTime)? {
        onQueue {
            isHeld = true
            return flushPoint
        }
    }

    private var flushPoint: (sequence: SequenceNumber, time: RTPTime)? {
        contents.mayHoldSound ? numbering.end : nil
    }

    /// Prepares a start at `frame`: sends from there, unless the sound already sent will do.
    func prepareStart(at frame: Int64) -> StartPoint {
        onQueue {
            var flush: (sequence: SequenceNumber, time: RTPTime)?
            let oldFormat = lastFormat
            let isFull = !window.hasRoom(speakerBytes: contents.sent.byteCount)
            if !contents.holds(frame, isFull: isFull) {
                flush = flushPoint
                // While a cut is open, the store has sound that is about to be replaced: stay held.
                restart(
                    at: store.index(holding: frame, leading: Self.mostLeadingPackets), isHeld: isHeld,
                    for: frame)
            }
            numbering.begin(at: frame)
            return StartPoint(time: numbering.time(of: frame), flush: flush, oldFormat: oldFormat)
        }
    }

    private func restart(at index: Int64, isHeld: Bool, for frame: Int64? = nil) {
        contents.restart(for: frame)
        numbering.restart()
        window.restart()
        (nextIndex, skipsUntil, self.isHeld) = (index, frame, isHeld)
        pump()
    }

    /// Stops sending, and withdraws the packets sent from `frame` on.
    ///
    /// - Parameter forcesRestart: Whether the next start flushes the speaker, because it is not told now.
    /// - Returns: The range that the speaker must skip; `nil` when it has nothing of it.
    @discardableResult
    func withdraw(from frame: Int64, forcesRestart: Bool = false) -> Range? {
        onQueue {
            isHeld = true
            if forcesRestart { contents.distrust() }
            contents.played(by: clock.now)
            guard let first = contents.sent.first(endingAfter: frame), let end = contents.sent.endFrame else {
                return nil
            }
            contents.withdraw(from: first, lead: skipLead)
            return Range(
                fromSequence: first.sequence, fromTime: numbering.time(of: first.frame),
                untilSequence: numbering.nextSequence, untilTime: numbering.time(of: end))
        }
    }

    /// Returns the RTP time of a timeline frame, for displays.
    func time(of frame: Int64) -> RTPTime {
        onQueue { numbering.time(of: frame) }
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

    func progress() -> Progress {
        onQueue {
            contents.played(by: clock.now)
            return Progress(
                endFrame: contents.sent.endFrame, speakerBytes: contents.sent.byteCount,
                packets: numbering.packetCount,
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

    /// Waits until everything before `frame` has been written to the connection, but at most for `patience`;
    /// returns the part of the wait in which the connection took no sound, zero if the patience was over first.
    func waitForSending(to frame: Int64, patience: Duration) async -> Duration {
        await withCheckedContinuation { continuation in
            connection.queue.async { [self] in
                let waiter = waiters.add(continuation, for: frame)
                if let end = contents.sent.endFrame, batch.byteCount == 0 { waiters.resume(to: end) }
                connection.queue.async(after: patience) { self.waiters.timeOut(waiter) }
            }
        }
    }

    /// Runs `body` after what the queue does now: at most one turn of ``pump()``, which never blocks.
    private func onQueue<Value>(_ body: () -> Value) -> Value {
        connection.queue.assertNotCurrent()
        return connection.queue.sync(execute: body)
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
        connection.queue.assertCurrent()
        for _ in 0..<Self.batchesPerTurn {
            if isClosed { return }
            if batch.byteCount > 0, !batch.write(to: connection) { return awaitWritable() }
            if let end = contents.sent.endFrame { waiters.resume(to: end) }
            guard !isHeld, isReleased else { return }
            let now = clock.now
            contents.played(by: now)
            let verdict = window.verdict(
                kernelBytes: connection.unsentBytes, speakerBytes: contents.sent.byteCount, at: now)
            isFull = verdict == .speakerFull
            switch verdict {
            case .send(let limit):
                waiters.blockage.end()
                guard sealBatch(limit: min(limit, SealedBatch.byteLimit)) else { return }
            case .kernelFull:
                waiters.blockage.note(at: now)
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
        if let skipsUntil {
            nextIndex = max(nextIndex, store.index(holding: skipsUntil, leading: Self.mostLeadingPackets))
        }
        while batch.byteCount < limit, let packet = store.packet(atOrAfter: nextIndex) {
            if isSkipped(packet) {
                nextIndex = packet.index + 1
                continue
            }
            skipsUntil = nil
            let isFirst = contents.firstFrame == nil
            if isFirst { leadIn(before: packet) }
            // One frame early, the first AAC packet of a run makes the second one silent in every case,
            // whether or not the speaker dropped the first.
            let shift: Int64 = isFirst && packet.format.codec == .aacLC ? -1 : 0
            seal(packet, frame: packet.frame, shift: shift)
            // Not the lead-in silence: a start there must be heard.
            if isFirst { contents.begin(at: packet.frame) }
            nextIndex = packet.index + 1
        }
        window.sent(batch.byteCount)
        return batch.byteCount > 0
    }

    /// Whether a packet ends before a prepared start, and is not needed for it either. AAC needs two packets before the wanted
    /// one: the speaker may drop the first of a run and mutes the next, and both prepare the decoder.
    private func isSkipped(_ packet: PacketStore.Packet) -> Bool {
        guard let skipsUntil else { return false }
        let leading = packet.format.codec == .aacLC ? Self.mostLeadingPackets : 0
        return packet.endFrame + Int64(leading) * Int64(packet.frameCount) <= skipsUntil
    }

    private static let mostLeadingPackets = 2

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
        numbering.begin(at: frame)
        let sequence = numbering.nextSequence
        let byteCount = packet.withPayload { payload in
            // Sealing fails only when the cipher library does; then the packet is a gap of its own length.
            try? sealer?.seal(
                payload: payload, sequence: sequence, rtpTime: numbering.time(of: frame + shift),
                formatCode: formatCode(packet.format), into: room)
        }
        guard let byteCount else { return }
        contents.append(
            SentPackets.Entry(
                frame: frame, frameCount: packet.frameCount, sequence: sequence, byteCount: Int32(byteCount)))
        numbering.count(frame: frame, frameCount: packet.frameCount)
        lastFormat = packet.format
        batch.append(byteCount)
    }

    private func awaitWritable() {
        guard !isAwaitingWritable else { return }
        isAwaitingWritable = true
        waiters.blockage.note(at: clock.now)
        connection.notifyWhenWritable { [weak self] in
            guard let self else { return }
            self.isAwaitingWritable = false
            self.waiters.blockage.note(at: self.clock.now)
            self.pump()
        }
    }

    private func wakeWhenPlayed() {
        guard let line = contents.line,
            let frame = contents.sent.frameAfterReleasing(bytes: SealedBatch.byteLimit)
        else { return }
        let delay = line.host(of: frame).since(clock.now)
        wake(after: max(.milliseconds(20), min(delay, .seconds(2))))
    }

    private func wake(after delay: Duration) { wakeUp.set(after: delay) { [weak self] in self?.pump() } }
}
