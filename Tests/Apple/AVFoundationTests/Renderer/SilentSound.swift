import AVFoundation
import Synchronization

/// Buffers of silence.
enum SilentSound {
    static func buffer(second: Int64, frames: Int = 44_100) throws -> CMSampleBuffer {
        let format = try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
                mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
                mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16,
                mReserved: 0))
        let block = try CMBlockBuffer(length: frames * 4, flags: .assureMemoryNow)
        return try CMSampleBuffer(
            dataBuffer: block, formatDescription: format, numSamples: frames,
            presentationTimeStamp: CMTime(value: second, timescale: 1), packetDescriptions: [])
    }
}

/// Notes in the order of the events; a test waits for a number of notes.
final class Notes: Sendable {
    private struct State {
        var list: [String] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var list: [String] { state.withLock { $0.list } }

    func note(_ text: String) {
        let ready = state.withLock { state in
            state.list.append(text)
            let count = state.list.count
            defer { state.waiting.removeAll { $0.count <= count } }
            return state.waiting.filter { $0.count <= count }
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    func reached(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.list.count < count { state.waiting.append((count, continuation)) }
                return state.list.count >= count
            }
            if isThere { continuation.resume() }
        }
    }
}
