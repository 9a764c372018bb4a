import AirPlayMessages
import Cryptography
import MediaTime
import RTP

extension BufferedStream {
    /// What a speaker must be told to drop, in its own numbers.
    struct Range: Equatable, Sendable {
        var fromSequence: SequenceNumber
        var fromTime: RTPTime
        var untilSequence: SequenceNumber
        var untilTime: RTPTime
    }

    /// How one speaker wants its packets.
    struct Parameters: Sendable {
        var key: SymmetricKey
        var headerStyle: BufferedHeaderStyle
        /// Word in the SSRC field, by format.
        var formatCode: @Sendable (AudioWireFormat) -> UInt32
        var firstSequence: SequenceNumber
        /// RTP time of the first packet; random, so that two sessions of one house differ.
        var firstTime: RTPTime
        var bufferBytes: Int
        var slowReaderBytesPerSecond: Int?
    }

    /// Where a start begins, in the speaker's own numbers.
    struct StartPoint: Equatable, Sendable {
        /// RTP time of the frame that was asked for.
        var time: RTPTime
        /// The speaker has to drop everything before this packet first; `nil` when there is nothing to drop.
        var flush: (sequence: SequenceNumber, time: RTPTime)?
        /// Of the packets that were sent before; `nil` when none was.
        var oldFormat: AudioWireFormat?

        static func == (left: StartPoint, right: StartPoint) -> Bool {
            left.time == right.time && left.flush?.sequence == right.flush?.sequence
        }
    }

    /// How far a stream is, for reports.
    struct Progress: Equatable, Sendable {
        /// End of what was sent; `nil` before the first packet.
        var endFrame: Int64?
        /// Bytes the speaker holds.
        var speakerBytes: Int
        var packets: Int64
        /// Whether everything in the store has been sent.
        var isDrained: Bool
        /// Whether the speaker has as much as it takes.
        var isFull: Bool
        /// How long the speaker has read nothing of what waits for it.
        var unread: Duration
    }
}
