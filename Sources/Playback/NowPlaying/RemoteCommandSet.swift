/// Which commands a program takes at the moment, and with what.
public struct RemoteCommandSet: Sendable, Hashable {
    /// A button with a state: liked, or bookmarked.
    public struct Feedback: Sendable, Hashable {
        public var isActive: Bool
        /// What the button says; empty for the surface's own words.
        public var title: String
        public var shortTitle: String

        public init(isActive: Bool = false, title: String = "", shortTitle: String = "") {
            (self.isActive, self.title, self.shortTitle) = (isActive, title, shortTitle)
        }
    }

    public var enabled: Set<RemoteCommand.Kind> = []
    /// Seconds, the preferred one first.
    public var forwardIntervals: [Double] = []
    public var backwardIntervals: [Double] = []
    /// Speeds that the program can play at; empty when it does not say.
    public var rates: [Double] = []
    public var repeatMode = RemoteCommand.RepeatMode.off
    public var shuffleMode = RemoteCommand.ShuffleMode.off
    public var ratings: ClosedRange<Double> = 0...0
    public var like = Feedback()
    public var dislike = Feedback()
    public var bookmark = Feedback()

    public init() {}
}
