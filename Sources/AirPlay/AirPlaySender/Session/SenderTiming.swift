/// The timeouts and intervals of a sender. The defaults are for real speakers; tests use shorter ones.
struct SenderTiming: Sendable {
    /// The timeout of an answer while a session is opened; pairing is slow on small speakers.
    var setupTimeout = Duration.seconds(8)
    /// The timeout of other answers; in a local network an answer usually takes a millisecond.
    var answerTimeout = Duration.seconds(5)
    /// The time that a group waits for a speaker that does not answer.
    var groupAnswerTimeout = Duration.milliseconds(400)
    /// The delay between a stop and the refill of dropped sound, because a start or jump right after the stop
    /// decides by itself what to send.
    var refillDelay = Duration.milliseconds(200)
    /// The limit of an answer to a stop; after a later answer the speaker may have played on, and dropped that sound.
    var stopLimit = Duration.milliseconds(500)
    /// The timeout of an answer while a session ends: shutdown must not block on an unreachable speaker.
    var farewellTimeout = Duration.milliseconds(700)
    /// The interval of feedback requests.
    var feedbackInterval = Duration.seconds(2)
    var feedbackTimeout = Duration.seconds(2)
    /// The silence after which a speaker that plays nothing counts as lost.
    var silenceLimit = Duration.seconds(60)
    /// The limits for probing a silent speaker with new connections: the timeout of a probe, the pause to the
    /// next, and the time that the old connection then has to answer after all.
    var reachTimeout = Duration.seconds(1)
    var reachPause = Duration.milliseconds(300)
    var reachGrace = Duration.milliseconds(500)
    /// The first retry pause; each further pause is twice as long.
    var firstPause = Duration.milliseconds(500)
    var longestPause = Duration.seconds(10)
    /// The longest retry pause of a speaker that finds no clock.
    var longestClocklessPause = Duration.seconds(120)
    /// The longest retry pause while the speaker plays its buffer, which may be short.
    var longestPlayingPause = Duration.seconds(3)
    /// The duration after which a session has proven itself and resets the backoff.
    var provenAfter = Duration.seconds(10)
    /// The time for which a playing speaker may read nothing before a warning. Speakers that read in bursts
    /// pause for less.
    var unreadPatience = Duration.seconds(30)
    /// The longest requested retry delay that the sender waits out once without reporting a failure.
    var retryPatience = Duration.seconds(3)
    /// The time for which a start without a given instant waits until its first sound has been sent.
    var soundPatience = Duration.milliseconds(100)
    /// The retry interval of anchors: speakers refuse an anchor until they have measured our clock.
    var anchorRetry = Duration.milliseconds(500)
    /// The retry interval of a volume that a speaker refuses before its first sound.
    var volumeRetry = Duration.milliseconds(500)
    /// The lead before the first sound at which a speaker must have found the clock, to decode in time.
    var confirmation = Duration.milliseconds(20)
    /// The time before that at which several speakers are asked for the first time: shairport-sync has the clock 0.6 s
    /// after its stream SETUP, 0.4 s before its first sound beside another room.
    var earlyConfirmation = Duration.milliseconds(280)
    /// The time after the first sound from which no speaker's answer moves the line back to its beginning.
    var confirmationLimit = Duration.milliseconds(100)
    /// The delay of a start that a speaker would miss; twice, then three times as much if it would miss it again.
    var startMove = Duration.milliseconds(40)
    /// The time after which a speaker that never followed the clock counts as lost.
    var clockPatience = Duration.seconds(8)
}
