import AVFoundation
import Foundation
import Playback
import Synchronization

/// Measures what a call of the playback API costs its caller, and prints each figure as a line of JSON.
@main
struct APIFigures {
    static func main() throws {
        // A device without hardware; everything else is as on a real device.
        RouteCatalogue.shared.setLocalOutput(try .init(parsing: "null"))
        try enqueue()
        currentTime()
        try flush()
        try observers()
        try queue()
    }

    static func print(_ name: String, _ values: [String: Double]) {
        let fields = values.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        Swift.print("{\"figure\":\"\(name)\",\(fields.joined(separator: ","))}")
    }

    static func seconds(_ body: () -> Void) -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) * 1e-9
    }

    /// CPU time of this thread alone.
    static func work(_ body: () -> Void) -> Double {
        func spent() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
        }
        let start = spent()
        body()
        return spent() - start
    }

    /// A second of 16 bit stereo at 44.1 kHz.
    static func buffer(_ second: Int) throws -> CMSampleBuffer {
        let block = try CMBlockBuffer(length: 44_100 * 4, flags: .assureMemoryNow)
        let format = try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
                mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
                mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16,
                mReserved: 0))
        return try CMSampleBuffer(
            dataBuffer: block, formatDescription: format, numSamples: 44_100,
            presentationTimeStamp: CMTime(value: CMTimeValue(second), timescale: 1), packetDescriptions: [])
    }

    /// Measures the caller's time for an `enqueue(_:)` of one second.
    static func enqueue() throws {
        let renderer = AVSampleBufferAudioRenderer()
        let synchronizer = AVSampleBufferRenderSynchronizer()
        synchronizer.addRenderer(renderer)
        let buffers = try (0..<600).map(buffer)
        let times = buffers.map { buffer in seconds { renderer.enqueue(buffer) } * 1e6 }.sorted()
        print("enqueue", ["median": times[300], "p99": times[594], "worst": times[599]])
        renderer.flush()
    }

    static func currentTime() {
        let synchronizer = AVSampleBufferRenderSynchronizer()
        synchronizer.rate = 1
        let count = 1_000_000
        var sum = 0.0
        let time = seconds { for _ in 0..<count { sum += Double(synchronizer.currentTime().timescale) } }
        precondition(sum > 0)
        print("currentTime", ["nanoseconds": time / Double(count) * 1e9])
    }

    /// Measures a flush with twice and ten times as many buffers queued; the best of a few, as a page fault is not
    /// the flush's cost.
    static func flush() throws {
        let renderer = AVSampleBufferAudioRenderer()
        let synchronizer = AVSampleBufferRenderSynchronizer()
        synchronizer.addRenderer(renderer)
        let one = try buffer(0)
        func measured(_ count: Int) throws -> Double {
            for second in 0..<count {
                let next = try CMSampleBuffer(copying: one)
                try next.setOutputPresentationTimeStamp(CMTime(value: CMTimeValue(second), timescale: 1))
                renderer.enqueue(next)
            }
            return seconds { renderer.flush() } * 1e6
        }
        func best(_ count: Int) throws -> Double { try (0..<5).map { _ in try measured(count) }.min() ?? 0 }
        _ = try measured(1000)
        let counts = [1000, 10_000, 20_000]
        print("flush", Dictionary(uniqueKeysWithValues: try counts.map { ("of\($0)", try best($0)) }))
    }

    /// Measures edits of a queue player with 5,000 items, one at a time: the player finishes each edit before
    /// the next.
    static func queue() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "api-figures-\(getpid()).wav")
        try silence(seconds: 30).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let asset = AVURLAsset(url: file)
        let player = AVQueuePlayer(items: (0..<5000).map { _ in AVPlayerItem(asset: asset) })
        var figures: [String: Double] = [:]
        func measure(_ name: String, _ body: (Int) -> Void) {
            var worked: [Double] = []
            let times = (0..<200).map { index in
                Thread.sleep(forTimeInterval: 0.02)
                return seconds { worked.append(work { body(index) } * 1e3) } * 1e3
            }.sorted()
            (figures[name], figures[name + "Worst"]) = (times[100], times[199])
            figures[name + "Work"] = worked.max()
        }
        let items = player.items()
        let places = (0..<200).map { items[4000 - $0 * 7] }
        let fresh = (0..<200).map { _ in AVPlayerItem(asset: asset) }
        measure("insert") { player.insert(fresh[$0], after: places[$0]) }
        measure("remove") { player.remove(places[$0]) }
        measure("advance") { _ in player.advanceToNextItem() }
        print("queue", figures)
    }

    /// A WAV file of 16 bit silence at 8 kHz.
    private static func silence(seconds: Int) -> Data {
        func bytes(_ value: Int, _ size: Int = 4) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let count = seconds * 16_000
        let format = bytes(1, 2) + bytes(1, 2) + bytes(8000) + bytes(16_000) + bytes(2, 2) + bytes(16, 2)
        return Data(
            Array("RIFF".utf8) + bytes(count + 36) + Array("WAVEfmt ".utf8) + bytes(16) + format
                + Array("data".utf8) + bytes(count) + [UInt8](repeating: 0, count: count))
    }

    /// Measures how late observers are called while another thread occupies one of the cores.
    static func observers() throws {
        let synchronizer = AVSampleBufferRenderSynchronizer()
        synchronizer.delaysRateChangeUntilHasSufficientMediaData = false
        let isOver = Mutex(false)
        let busy = Thread { while !isOver.withLock({ $0 }) {} }
        busy.start()
        let queue = DispatchQueue(label: "observers", qos: .userInteractive)
        let lateness = Mutex<[Double]>([])
        let wanted = (1...400).map { CMTime(value: CMTimeValue($0), timescale: 100) }
        let index = Mutex(0)
        let token = synchronizer.addBoundaryTimeObserver(
            forTimes: wanted.map { NSValue(time: $0) }, queue: queue
        ) {
            let now = synchronizer.currentTime()
            let due = index.withLock { index in
                defer { index += 1 }
                return wanted[min(index, wanted.count - 1)]
            }
            lateness.withLock { $0.append((now - due).seconds * 1e3) }
        }
        synchronizer.rate = 1
        Thread.sleep(forTimeInterval: 4.5)
        synchronizer.removeTimeObserver(token)
        isOver.withLock { $0 = true }
        let late = lateness.withLock { $0.sorted() }
        guard let worst = late.last else { return print("observers", ["count": 0]) }
        print(
            "observers",
            [
                "count": Double(late.count), "median": late[late.count / 2],
                "p99": late[late.count * 99 / 100],
                "worst": worst,
            ])
    }
}
