import Dispatch
import Foundation
import PCM

/// Several encoders that share the packets of a long stretch of sound between the machine's cores.
///
/// Packets of ALAC know nothing of each other, so what comes out is, byte for byte, what one encoder makes.
/// For one thread at a time; takes the library's own threads for the time of a call.
public final class ALACEncoderBank {
    /// Packets of one run of calls, end to end.
    public struct Payloads: Sendable {
        public fileprivate(set) var bytes: [UInt8] = []
        /// Where each packet ends in ``bytes``.
        public fileprivate(set) var ends: [Int] = []

        /// Lends each packet in turn.
        public func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
            try bytes.withUnsafeBytes { all in
                var start = 0
                for end in ends {
                    try body(UnsafeRawBufferPointer(rebasing: all[start..<end]))
                    start = end
                }
            }
        }
    }

    /// More than this many cores are not worth their threads.
    private static let laneLimit = 4
    /// Fewer packets than this for each lane are made by one.
    private static let packetsPerLane = 8

    public let configuration: ALACConfiguration
    private let lanes: [Lane]

    /// - Parameter laneCount: as many encoders; one for each core when `nil`.
    public init(_ configuration: ALACConfiguration, laneCount: Int? = nil) throws(CodecError) {
        self.configuration = configuration
        let count = max(1, min(laneCount ?? ProcessInfo.processInfo.activeProcessorCount, Self.laneLimit))
        var lanes: [Lane] = []
        for _ in 0..<count { lanes.append(Lane(try ALACEncoder(configuration))) }
        self.lanes = lanes
    }

    /// Encodes whole packets, in the order of their frames.
    ///
    /// - Parameters:
    ///   - frames: a multiple of ``ALACEncoder/framesPerPacket`` frames of the configuration's PCM format.
    ///   - take: is given the packets in order, in one or more parts.
    public func encode(_ frames: UnsafeRawBufferPointer, take: (Payloads) -> Void) throws(CodecError) {
        let packetSize = ALACEncoder.framesPerPacket * configuration.pcmFormat.bytesPerFrame
        let packetCount = frames.count / packetSize
        let used = max(1, min(lanes.count, packetCount / Self.packetsPerLane))
        let share = (packetCount + used - 1) / used
        // Safe to share: nobody writes the frames before the call returns.
        nonisolated(unsafe) let input = frames
        let lanes = lanes
        let encode: @Sendable (Int) -> Void = { index in
            let packets = min(index * share, packetCount)..<min((index + 1) * share, packetCount)
            lanes[index].encode(
                UnsafeRawBufferPointer(
                    rebasing: input[packets.lowerBound * packetSize..<packets.upperBound * packetSize]),
                packetSize: packetSize)
        }
        if used == 1 { encode(0) } else { DispatchQueue.concurrentPerform(iterations: used, execute: encode) }
        for lane in lanes[..<used] { take(try lane.result.get()) }
    }

    /// Encodes a last, shorter packet, or a single one.
    public func encode(_ buffer: PCMBuffer, into payload: inout [UInt8]) throws(CodecError) {
        try lanes[0].encoder.encode(buffer, into: &payload)
    }
}

/// One encoder and what it made last.
private final class Lane: @unchecked Sendable {
    // Safe to share: the bank's caller and the one iteration of `concurrentPerform` that has this lane
    // touch it, never at the same time, because the call returns when all iterations have ended.
    let encoder: ALACEncoder
    private(set) var result: Result<ALACEncoderBank.Payloads, CodecError> = .success(.init())

    init(_ encoder: ALACEncoder) { self.encoder = encoder }

    func encode(_ frames: UnsafeRawBufferPointer, packetSize: Int) {
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
