import AirPlayMessages
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP

extension BufferedStream {
    /// Whether sound that was sent has not arrived yet. Any thread.
    var isUnderWay: Bool { connection.unsentBytes > Self.quietBytes }

    /// Bytes on the way that are soon there.
    private static let quietBytes = 16 * 1024

    /// A range of packets for the speaker to drop, in the speaker's own sequence numbers and RTP times.
    struct Range: Equatable, Sendable {
        var fromSequence: SequenceNumber
        var fromTime: RTPTime
        var untilSequence: SequenceNumber
        var untilTime: RTPTime
    }

    /// The parameters of one speaker's packets.
    struct Parameters: Sendable {
        var key: SymmetricKey
        var headerStyle: BufferedPacketHeader.Style
        /// Returns the word in the SSRC field for a format.
        var formatCode: @Sendable (AudioWireFormat) -> UInt32
        var firstSequence: SequenceNumber
        /// The RTP time of the first packet; random, so that concurrent sessions differ.
        var firstTime: RTPTime
        var bufferBytes: Int
        var slowReaderBytesPerSecond: Int?
        /// See ``DeviceQuirks/skipLead``.
        var skipLead = Duration.zero
        /// Whether nothing is sent before ``BufferedStream/release()``.
        var waitsForRelease = false
    }

    /// The beginning of a start, in the speaker's own numbers.
    struct StartPoint: Equatable, Sendable {
        /// The RTP time of the requested frame.
        var time: RTPTime
        /// The packet before which the speaker has to drop everything; `nil` when there is nothing to drop.
        var flush: (sequence: SequenceNumber, time: RTPTime)?
        /// The format of the packets sent before; `nil` when none was sent.
        var oldFormat: AudioWireFormat?

        static func == (left: StartPoint, right: StartPoint) -> Bool {
            left.time == right.time && left.flush?.sequence == right.flush?.sequence
        }
    }

    /// The progress of a stream, for reports.
    struct Progress: Equatable, Sendable {
        /// The end of the sent packets; `nil` before the first packet.
        var endFrame: Int64?
        /// Bytes that the speaker holds.
        var speakerBytes: Int
        var packets: Int64
        /// Whether everything in the store has been sent.
        var isDrained: Bool
        /// Whether the speaker's buffer is full.
        var isFull: Bool
        /// The time for which the speaker has read none of the waiting bytes.
        var unread: Duration
    }
}
