import Dispatch
import Foundation
import TuttiPCM

/// Several ALAC encoders that divide a long run of packets among the CPU cores.
///
/// ALAC packets are independent, so the output equals that of one encoder, byte for byte. Not thread-safe; a
/// call blocks until its Dispatch worker threads are done.
package final class ALACEncoderBank {
    /// Consecutive packets in one buffer.
    package struct Payloads: Sendable {
        /// The bytes of all packets, end to end.
        package fileprivate(set) var bytes: [UInt8] = []
        /// The end offset of each packet in ``bytes``.
        package fileprivate(set) var ends: [Int] = []

        /// Calls `body` with each packet in order; the bytes are valid during the call only.
        package func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
            try bytes.withUnsafeBytes { all in
                var start = 0
                for end in ends {
                    try body(UnsafeRawBufferPointer(rebasing: all[start..<end]))
                    start = end
                }
            }
        }
    }

    /// The most encoders; more threads do not pay off.
    private static let workerLimit = 4
    /// The fewest packets per encoder; a shorter run uses fewer encoders.
    private static let packetsPerWorker = 8

    /// The packets' format.
    package let configuration: ALACConfiguration
    private let workers: [Worker]

    /// Opens the encoders.
    ///
    /// - Parameter workerCount: The number of parallel encoders, at most 4; `nil` for one per CPU core.
    package init(_ configuration: ALACConfiguration, workerCount: Int? = nil) throws(CodecError) {
        self.configuration = configuration
        let count = max(1, min(workerCount ?? ProcessInfo.processInfo.activeProcessorCount, Self.workerLimit))
        var workers: [Worker] = []
        for _ in 0..<count { workers.append(Worker(try ALACEncoder(configuration))) }
        self.workers = workers
    }

    /// Encodes whole packets, in the order of their frames.
    ///
    /// - Parameters:
    ///   - frames: A multiple of ``ALACEncoder/framesPerPacket`` frames of the configuration's PCM format.
    ///   - take: Receives the packets in order, in one or more parts.
    package func encode(_ frames: UnsafeRawBufferPointer, take: (Payloads) -> Void) throws(CodecError) {
        let packetSize = ALACEncoder.framesPerPacket * configuration.pcmFormat.bytesPerFrame
        let packetCount = frames.count / packetSize
        let used = max(1, min(workers.count, packetCount / Self.packetsPerWorker))
        let share = (packetCount + used - 1) / used
        for (index, worker) in workers[..<used].enumerated() {
            let packets = min(index * share, packetCount)..<min((index + 1) * share, packetCount)
            worker.input = UnsafeRawBufferPointer(
                rebasing: frames[packets.lowerBound * packetSize..<packets.upperBound * packetSize])
        }
        let encode: @Sendable (Int) -> Void = { [workers] in workers[$0].encode(packetSize: packetSize) }
        if used == 1 { encode(0) } else { DispatchQueue.concurrentPerform(iterations: used, execute: encode) }
        for worker in workers[..<used] { take(try worker.result.get()) }
    }

    /// Encodes a short last packet, or a single packet.
    package func encode(_ buffer: PCMBuffer, into payload: inout [UInt8]) throws(CodecError) {
        try workers[0].encoder.encode(buffer, into: &payload)
    }
}

/// An encoder with the result of its last run.
private final class Worker: @unchecked Sendable {
    // Safe to share: only the bank's caller and the one `concurrentPerform` iteration of this worker touch the
    // object, never at the same time, because the call returns after all iterations.
    let encoder: ALACEncoder
    /// The frames of the next run, which stay in place until it returns.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var result: Result<ALACEncoderBank.Payloads, CodecError> = .success(.init())

    init(_ encoder: ALACEncoder) { self.encoder = encoder }

    func encode(packetSize: Int) {
        let frames = input
        var payloads = ALACEncoderBank.Payloads()
        payloads.bytes.reserveCapacity(frames.count)
        payloads.ends.reserveCapacity(frames.count / packetSize)
        do throws(CodecError) {
            var start = 0
            while start + packetSize <= frames.count {
                let packet = UnsafeRawBufferPointer(rebasing: frames[start..<start + packetSize])
                try encoder.encode(packet, into: &payloads.bytes)
                payloads.ends.append(payloads.bytes.count)
                start += packetSize
            }
            result = .success(payloads)
        } catch {
            result = .failure(error)
        }
    }
}
