/// The commands that a program takes at the moment, with their parameters.
public struct RemoteCommandSet: Sendable, Hashable {
    /// A button with a state: liked, or bookmarked.
    public struct Feedback: Sendable, Hashable {
        /// Whether the item has this feedback now.
        public var isActive: Bool
        /// The button's label; empty for the surface's default.
        public var title: String
        /// The short form of the label.
        public var shortTitle: String

        /// Makes a button state.
        public init(isActive: Bool = false, title: String = "", shortTitle: String = "") {
            (self.isActive, self.title, self.shortTitle) = (isActive, title, shortTitle)
        }
    }

    /// The kinds of commands that the program takes.
    public var enabled: Set<RemoteCommand.Kind> = []
    /// Skip intervals in seconds, the preferred interval first.
    public var forwardIntervals: [Double] = []
    /// Skip intervals in seconds, the preferred interval first.
    public var backwardIntervals: [Double] = []
    /// Supported speeds; empty if the program does not say.
    public var rates: [Double] = []
    /// The current repeat mode.
    public var repeatMode = RemoteCommand.RepeatMode.off
    /// The current shuffle mode.
    public var shuffleMode = RemoteCommand.ShuffleMode.off
    /// The program's rating scale.
    public var ratings: ClosedRange<Double> = 0...0
    /// State of the like button.
    public var like = Feedback()
    /// State of the dislike button.
    public var dislike = Feedback()
    /// State of the bookmark button.
    public var bookmark = Feedback()

    /// Makes a set without commands.
    public init() {}
}
