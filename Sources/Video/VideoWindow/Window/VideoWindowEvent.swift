/// An event of a window.
public enum VideoWindowEvent: Hashable, Sendable {
    /// A key was pressed, or repeats because it is held.
    case key(KeyPress)
    /// The user asked to close the window, which stays open until ``VideoWindow/close()``.
    case closeRequested
    /// The size changed, in pixels.
    case sizeChanged(PixelSize)
    /// The window entered or left the full screen.
    case fullScreenChanged(Bool)
    /// Subtitles cannot be drawn, for the reason in the sentence. Sent once per window.
    case subtitlesUnavailable(String)
    /// A picture could not be drawn, for the reason in the sentence. Sent once per window.
    case pictureRefused(String)
    /// The window was closed. The last event.
    case closed
    /// The display went away and the window with it. The last event.
    case displayLost
}

/// A key press in a window.
public struct KeyPress: Hashable, Sendable {
    /// A key by its plain name; letters by their lowercase form.
    ///
    /// A key that the keyboard's layout lacks has the name of its place on a US keyboard.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// A key by its name.
        case space, left, right, up, down, escape, enter, tab, backspace, home, end
        /// A key by its name.
        case pageUp, pageDown
        /// A key by its name.
        case comma, period, slash, leftBracket, rightBracket, plus, minus
        /// The digit 0.
        case zero = "0"
        /// The digit 1.
        case one = "1"
        /// The digit 2.
        case two = "2"
        /// The digit 3.
        case three = "3"
        /// The digit 4.
        case four = "4"
        /// The digit 5.
        case five = "5"
        /// The digit 6.
        case six = "6"
        /// The digit 7.
        case seven = "7"
        /// The digit 8.
        case eight = "8"
        /// The digit 9.
        case nine = "9"
        /// A letter.
        case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z
    }

    /// The key's name.
    public var key: Key
    /// Whether a shift key is held.
    public var isShifted: Bool
    /// Whether a control key is held.
    public var isControlled: Bool
    /// Whether the key is held and repeats.
    public var isRepeat: Bool

    /// Creates a key press.
    public init(_ key: Key, isShifted: Bool = false, isControlled: Bool = false, isRepeat: Bool = false) {
        self.key = key
        self.isShifted = isShifted
        self.isControlled = isControlled
        self.isRepeat = isRepeat
    }
}
