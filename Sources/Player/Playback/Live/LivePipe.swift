import Glibc
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// A named pipe with raw samples as a source of live sound: other programs write, as librespot, MPD or
/// `ffmpeg` do.
///
/// The pipe is read as fast as it is heard. It is made if nothing is at its path; it stays open while writers
/// come and go.
public final class LivePipe: LiveSource, @unchecked Sendable {
    // Safe to share: the variables are touched on `queue` only.

    private let path: String
    private let format: LiveFormat
    private let clock: any HostClock
    private let queue: SerialQueue
    private let wakeUp: QueueWakeUp
    private var file: Int32 = -1
    private var readiness: ReadinessSource?
    private weak var player: LivePlayer?
    private var pace: PipePace
    /// Bytes of a frame that is not whole yet.
    private var rest: [UInt8] = []
    /// Sound that waits until the player plays.
    private var held: LiveSound?
    /// The pace after it, should it be dropped.
    private var heldPace: PipePace?
    private var capacity = 64 << 10
    private var isAwaitingInput = false
    /// The last writer has closed the pipe.
    private var isAtEnd = false

    /// Describes a source.
    ///
    /// - Parameter path: An absolute path.
    public convenience init(path: String, format: LiveFormat) {
        self.init(path: path, format: format, machine: SystemMachine())
    }

    /// Describes a source.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - machine: Time and queues.
    package init(path: String, format: LiveFormat, machine: any Machine) {
        let queue = machine.makeQueue("tutti.live.pipe", qos: .userInitiated)
        (self.path, self.format, self.queue) = (path, format, queue)
        clock = machine
        pace = PipePace(rate: format.rate)
        wakeUp = QueueWakeUp(on: queue)
    }

    deinit { if file >= 0 { Glibc.close(file) } }

    // MARK: LiveSource

    public func open(
        _ player: LivePlayer, onVolume: @escaping @Sendable (Double) -> Void
    ) throws(RouteError) {
        let file = try openPipe()
        do throws(SystemError) {
            // The handler starts with the first `arm()`, on the queue.
            let readiness = try watch(file)
            queue.async { [self] in
                (self.file, self.readiness, self.player) = (file, readiness, player)
                capacity = max(4096, Int(fcntl(file, Self.getPipeSize)))
                awaitInput()
            }
        } catch {
            Glibc.close(file)
            throw RouteError("the pipe '\(path)' cannot be watched: \(error)")
        }
    }

    private func openPipe() throws(RouteError) -> Int32 {
        var status = stat()
        var isNew = false
        if lstat(path, &status) != 0, errno == ENOENT {
            isNew = mkfifo(path, 0o660) == 0
            guard isNew || errno == EEXIST else {
                throw RouteError(
                    "the pipe '\(path)' cannot be created: \(Self.reason); does its folder exist, and may Tutti "
                        + "write there?"
                )
            }
        }
        let file = Glibc.open(path, Self.flags)
        guard file >= 0 else { throw RouteError("the pipe '\(path)' cannot be opened: \(Self.reason)") }
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            Glibc.close(file)
            throw RouteError(
                "'\(path)' is not a pipe; remove it, or name another path: Tutti creates the pipe")
        }
        // A service's mask may keep a group out with which it shares the folder.
        if isNew, isSharedFolder { fchmod(file, 0o660) }
        return file
    }

    /// Whether the pipe's folder is that of a group, and not of everybody.
    private var isSharedFolder: Bool {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        var status = stat()
        return stat("/" + folder, &status) == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == S_IWGRP
    }

    /// For reading only, so that the end of a writer shows.
    private static let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC

    private func watch(_ file: Int32) throws(SystemError) -> ReadinessSource {
        try ReadinessSource(readable: file, on: queue) { [weak self] in self?.readable() }
    }

    /// `F_GETPIPE_SZ`, which Glibc hides behind a feature macro.
    private static let getPipeSize: Int32 = 1032

    private static var reason: String { String(cString: strerror(errno)) }

    public func phaseDidChange() { queue.async { [self] in step() } }

    public func close() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                readiness?.disarm()
                wakeUp.cancel()
                (readiness, player, held) = (nil, nil, nil)
                if file >= 0 { Glibc.close(file) }
                file = -1
                continuation.resume()
            }
        }
    }

    // MARK: Reading, on the queue

    private func awaitInput() {
        if isAtEnd, !reopen() { return wakeUp.set(after: .seconds(1)) { [weak self] in self?.step() } }
        isAwaitingInput = true
        readiness?.arm()
    }

    /// Opens the pipe again for the next writer, because the end of the last one stays readable. Returns `false` if the
    /// system refuses it, as without free descriptors; the caller tries again.
    private func reopen() -> Bool {
        // The same pipe, also if its path is another's by now; the old opening keeps it meanwhile.
        let new = Glibc.open("/proc/self/fd/\(file)", Self.flags)
        guard new >= 0, let source = try? watch(new) else {
            if new >= 0 { Glibc.close(new) }
            return false
        }
        readiness?.disarm()
        Glibc.close(file)
        (file, readiness, rest, isAtEnd) = (new, source, [], false)
        return true
    }

    private func readable() {
        guard isAwaitingInput else { return }
        isAwaitingInput = false
        readiness?.disarm()
        step()
    }

    /// Reads and feeds what is due, and arranges the next step.
    private func step() {
        queue.assertCurrent()
        guard file >= 0, let player, !isAwaitingInput else { return }
        if let held {
            switch player.phase {
            case .running: feed(held, player, isFirst: true)
            case .waiting, .starting: return
            case .idle, .declined:
                // It is over at the pace of sound, as if it had been heard.
                if let heldPace { pace = heldPace }
                self.held = nil
            }
        }
        while held == nil {
            let (now, latency) = (clock.now, Duration.seconds(player.latency))
            let room = pace.room(at: now, latency: latency)
            guard room > 0 else {
                return wakeUp.set(after: pace.pause(at: now, latency: latency)) { [weak self] in self?.step()
                }
            }
            if pace.excess > 0 {
                _ = read(pace.excess)
                pace.dropped()
            }
            guard let sound = read(room) else { return awaitInput() }
            if sound.frameCount > 0 { feed(sound, player, isFirst: false) }
        }
    }

    private func feed(_ sound: LiveSound, _ player: LivePlayer, isFirst: Bool) {
        // Sound that waited for the player begins a new line.
        if isFirst { pace.restart() }
        let (now, latency) = (clock.now, Duration.seconds(player.latency))
        let waiting = bytesWaiting
        var next = pace
        let heardAt = next.place(
            sound.frameCount, backlog: waiting / format.bytesPerFrame,
            fullness: Double(waiting) / Double(capacity), at: now, latency: latency)
        held = player.feed(sound, heardAt: heardAt) ? nil : sound
        // The writer waits with us.
        if held == nil { pace = next } else { heldPace = next }
    }

    /// - Returns: `nil` if the pipe is empty.
    private func read(_ frames: Int) -> LiveSound? {
        let wanted = max(format.bytesPerFrame, frames * format.bytesPerFrame) - rest.count
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, used in
            count = Glibc.read(file, buffer.baseAddress, wanted)
            used = max(0, count)
        }
        isAtEnd = count == 0
        guard count > 0 else { return nil }
        let all = rest + bytes
        let whole = all.count / format.bytesPerFrame * format.bytesPerFrame
        rest = Array(all[whole...])
        return format.sound(of: Array(all[..<whole]))
    }

    private var bytesWaiting: Int {
        var count: Int32 = 0
        return ioctl(file, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }
}
