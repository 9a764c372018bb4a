/// How long a sender waits, for what. The defaults are for real speakers; tests have shorter ones.
struct SenderTiming: Sendable {
    /// For an answer while a session is opened; pairing is slow on small speakers.
    var setupTimeout = Duration.seconds(8)
    /// Answers of a speaker in a local network take a millisecond; this is for one that is in trouble.
    var answerTimeout = Duration.seconds(5)
    /// How long the other speakers of a group wait for one that does not answer.
    var promptness = Duration.milliseconds(400)
    /// How long a speaker has been stopped before what it threw away is sent anew: a start or a jump behind the stop
    /// decides by itself what is sent.
    var refillDelay = Duration.milliseconds(200)
    /// A stop that the speaker answers later than this may have let it play on, and forget what it played.
    var stopLimit = Duration.milliseconds(500)
    /// For an answer while a session is ended: who ends is not to be kept by a speaker that is gone.
    var farewellTimeout = Duration.milliseconds(700)
    /// Between two signs of life.
    var feedbackInterval = Duration.seconds(2)
    var feedbackTimeout = Duration.seconds(2)
    /// After this, a speaker that does not answer and plays nothing counts as lost.
    var silenceLimit = Duration.seconds(60)
    /// A silent speaker that can go on over a new connection: how long one attempt to reach it takes at most, the
    /// pause to the next, and how long the old connection then has to answer after all.
    var reachTimeout = Duration.seconds(1)
    var reachPause = Duration.milliseconds(300)
    var reachGrace = Duration.milliseconds(500)
    /// From the first failed attempt to the next; each further pause is twice as long.
    var firstPause = Duration.milliseconds(500)
    var longestPause = Duration.seconds(10)
    /// The longest pause while the speaker plays on what it has, which may not be much.
    var longestPlayingPause = Duration.seconds(3)
    /// A session that lasted so long has shown that it works: after its end the pauses begin anew.
    var provenAfter = Duration.seconds(10)
    /// A speaker that plays and has read nothing for so long is warned about. Those that read in portions pause for less.
    var unreadPatience = Duration.seconds(30)
    /// A speaker that names no longer time until the next attempt is asked again without a word, once.
    var retryPatience = Duration.seconds(3)
    /// How long a start without a time of its own waits for its first sound to have been sent.
    var soundPatience = Duration.milliseconds(100)
    /// Speakers refuse an anchor until they have measured our clock.
    var anchorRetry = Duration.milliseconds(500)
    /// So long before the first sound of a session a speaker must have found the clock, to decode in time.
    var confirmation = Duration.milliseconds(20)
    /// A start that it would miss is put off by so much from then; by twice and then three times as much if it would again.
    var startMove = Duration.milliseconds(40)
    /// After this a speaker that never followed the clock counts as lost.
    var clockPatience = Duration.seconds(8)
}
