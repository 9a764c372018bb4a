import AirPlayMessages
import TuttiClockService
import TuttiMediaTime

/// One open session with one speaker, of any kind.
///
/// The group knows a speaker by this interface only. Frames are frames of the group's timeline, and times are host
/// time; the session converts both to its receiver's numbers and to the clock that its receiver follows. Commands
/// may come from any task, also while an earlier one still waits for the speaker; each sound-changing command
/// replaces those before it, whose answers then change nothing. A session throws ``SpeakerFailure`` only.
///
/// The first part is what every kind of session answers. The rest has defaults for a session without that ability.
package protocol SpeakerSession: AnyObject, Sendable {
    /// The abilities and needs of the session.
    var traits: SessionTraits { get }
    /// Everything known of the speaker's clock.
    var clockReport: ClockReport { get }

    // MARK: Playing

    /// Prepares a start at `frame`: silences the speaker, drops sound of another place, and begins to send.
    func prepare(at frame: Int64) async throws
    /// Makes `line.frame` heard at `line.host`; drops other sound first.
    ///
    /// - Parameter needsBeginning: Whether a speaker that can tell should refuse a start too late for that frame.
    func start(_ line: FrameLine, needsBeginning: Bool) async throws -> StartAnswer
    /// Silences the speaker at once. If it keeps its sound, a resume at or after the playhead needs no refill.
    ///
    /// - Returns: The first frame that has not been heard; `nil` if the speaker does not tell.
    func stop() async throws -> Int64?
    /// Makes the speaker drop all its sound.
    func clear() async throws
    /// Sets the speaker's volume.
    func setVolume(_ volume: Volume) async throws

    // MARK: Edits

    /// Withdraws `frame` and what follows from the sent sound. The session sends nothing more until
    /// ``resume(from:)``. Waits for no answer of the speaker; the message does.
    ///
    /// - Returns: The message that makes the speaker skip it; `nil` if it has been sent nothing of it.
    func takeBack(from frame: Int64) async -> Withdrawal?
    /// Resumes sending, with the packets that follow `frame` in the store.
    func resume(from frame: Int64)

    // MARK: Life

    /// Returns how far ahead the speaker is filled. Waits for no answer, at most for packets being sealed.
    func depth() -> SessionDepth
    /// Waits until the session ends; returns the cause.
    func ended() async -> SpeakerFailure
    /// Ends the session for a cause of ours.
    func fail(_ failure: SpeakerFailure)

    // MARK: With defaults: the clock

    /// The host time from which the speaker can be heard; `nil` while that is unknown. By default that of
    /// ``clockReport``.
    var readyTime: HostTime? { get }
    /// Whether the speaker follows its clock. By default the state of ``clockReport``.
    var clockState: PeerClockState { get }

    // MARK: With defaults: starts

    /// Waits until the speaker has been sent the beginning of a start at `frame`, without which it would start
    /// late; not longer than the session's patience. Returns at once by default.
    ///
    /// - Returns: The part of the wait in which the connection took no sound: requests may wait as long on the way. Zero if the
    ///   patience was over first.
    func waitForBeginning(at frame: Int64, sampleRate: SampleRate) async -> Duration
    /// Moves a start of which nothing has been heard yet to another line. Starts anew by default.
    func move(to line: FrameLine) async throws
    /// Returns whether the speaker has shown that it follows clock and line; `nil`, the default, if it does not show
    /// that.
    func followsLine() async -> Bool?
    /// Refills a stopped speaker for a start at `frame`, if it has dropped the sound needed there. Does nothing by
    /// default.
    func refill(from frame: Int64) async throws

    // MARK: With defaults: edits

    /// Returns whether one more edit of sound that was sent fits. True by default: the group keeps to
    /// ``SessionTraits/takeBackMargin``.
    ///
    /// - Parameter playhead: The frame that is heard now.
    func canTakeBack(at playhead: Int64) async -> Bool
    /// The least distance from the playhead at which sound that was sent can be exchanged for other sound now. By
    /// default ``SessionTraits/takeBackMargin``.
    var exchangeMargin: Duration { get }
    /// Withdraws `frame` and what follows without a message: the next start makes the speaker drop everything. By
    /// default ``takeBack(from:)``, whose message is not sent.
    func takeBackSilently(from frame: Int64) async

    // MARK: With defaults: displays

    /// Shows a track's text and picture, as far as they are new, and its progress. Does nothing by default.
    func show(_ track: ScheduledTrack, _ update: DisplayUpdate, playhead: Int64) async throws
    /// Shows the progress of the track that is shown already. Does nothing by default.
    func showProgress(of track: ScheduledTrack, playhead: Int64) async throws

    // MARK: With defaults: life

    /// The duration of the slowest recent answer; older answers decay. Zero by default.
    var answerTime: Duration { get async }
    /// The host time of the speaker's last sign of life; `nil`, the default, for a session that always answers.
    var lastAnswer: HostTime? { get }
    /// Asks for a sign of life. The caller judges missing answers, because a speaker with a buffer plays on. Does nothing
    /// by default.
    func feedback() async throws
    /// Returns whether the speaker answers on a new connection, when it is silent on the old one. False by default.
    func answersAnew() async -> Bool
    /// Ends our side but leaves the connections open, so that another session can resume this one. By default
    /// ends the session, like ``fail(_:)``.
    func detach(_ failure: SpeakerFailure)
    /// Closes every connection without a message. Also ends what ``detach(_:)`` has left open. By default ends
    /// the session as closed, by ``fail(_:)``.
    func abandon()
    /// Closes every connection after a last message that ends the session at the speaker, whose answer nobody waits for: a
    /// speaker that is out of reach learns of the end when it is back. By default like ``abandon()``.
    func leave()
    /// Ends the session in order, as far as the speaker still answers, or else like ``leave()``. By default like
    /// ``abandon()``.
    func close() async
}

/// A message that makes a speaker skip sound, for its playhead to reach not before `patience` has passed.
package typealias Withdrawal = @Sendable (_ patience: Duration) async throws -> Void

/// The answer of a speaker to a start.
package enum StartAnswer: Equatable, Sendable {
    /// The speaker plays along the line.
    case accepted
    /// The speaker does not take the start yet; the value is its status.
    case notYet(Int)
    /// The start came too late for the first frame, by this duration, and the speaker plays nothing.
    case late(Duration)
    /// A later stop or start has replaced this start, which will not be heard.
    case superseded
}

/// The abilities and needs of a session, as data: what differs between kinds and families of speakers.
package struct SessionTraits: Sendable {
    /// The least times from a decision to the first sound.
    package struct Leads: Sendable {
        /// At the first start of a session, from the moment that all speakers can play.
        package var start = DeviceQuirks().startLead
        /// At the end of a pause.
        package var resume = DeviceQuirks().resumeLead
        /// At a jump.
        package var seek = DeviceQuirks().seekLead

        /// The leads of an unknown speaker.
        package init() {}

        /// Creates leads from their parts.
        package init(start: Duration, resume: Duration, seek: Duration) {
            (self.start, self.resume, self.seek) = (start, resume, seek)
        }
    }

    /// The speaker's description.
    package var receiver: ReceiverDescription
    /// The peer's address and port, for reports.
    package var address: String
    /// The depth of the speaker: bytes of sound that it holds.
    package var bufferBytes: Int
    /// The least times from a decision to the first sound.
    package var leads = Leads()
    /// The least time to the first sound of a first start without a given instant, if the speaker plays alone; `nil` for
    /// that of ``leads``.
    package var startLeadAlone: Duration?
    /// The time before ``SpeakerSession/readyTime`` at which a first start is allowed if the speaker plays alone.
    package var headStartAlone = Duration.zero
    /// The least distance from the playhead of sound that can be taken back; `nil` if none can once it is sent.
    package var takeBackMargin: Duration?
    /// The time after the answer to a request that makes the speaker drop its sound in which nothing may be sent for a new
    /// beginning, because the speaker may still hold the old sound.
    package var stopTime = Duration.zero
    /// The time before it is heard at which live sound must come.
    package var liveLatency = DeviceQuirks().liveLatency
    /// Whether the speaker holds seconds only, and confirms nothing of them: it is lost when it no longer answers.
    package var isRealtime = false
    /// Whether the speaker wants metadata and volume before its first sound.
    package var wantsMetadataFirst = true
    /// Whether ``SpeakerSession/followsLine()`` has an answer.
    package var showsWhetherItFollows = false
    /// Whether a second connection can resume the session after the first has broken.
    package var isResumable = false
    /// Whether this session has resumed another one, and the speaker plays already.
    package var hasResumed = false
    /// Whether the speaker may play already when the session opens, maybe along a line of before.
    package var mayPlay = false

    /// Creates the traits of a session without abilities of its own.
    package init(receiver: ReceiverDescription, address: String, bufferBytes: Int) {
        (self.receiver, self.address, self.bufferBytes) = (receiver, address, bufferBytes)
    }
}

/// The fill level of one speaker, and what is under way to it.
package struct SessionDepth: Sendable {
    /// The end of the sent sound; `nil` before the first packet.
    package var endFrame: Int64?
    /// Bytes that the speaker holds.
    package var bytesHeld: Int
    /// Whether everything in the store has been sent.
    package var isDrained: Bool
    /// The time for which the speaker has read none of what waits for it.
    package var unread: Duration
    /// See ``TCPConnection/repetitions`` of the sound's connection.
    package var repetitions: Int

    /// Creates a level from its parts.
    package init(
        endFrame: Int64?, bytesHeld: Int, isDrained: Bool, unread: Duration = .zero, repetitions: Int = 0
    ) {
        (self.endFrame, self.bytesHeld) = (endFrame, bytesHeld)
        (self.isDrained, self.unread, self.repetitions) = (isDrained, unread, repetitions)
    }
}
