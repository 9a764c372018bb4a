import CoreMedia

/// The decision when an output's delegate is told of a new picture. A value.
///
/// Pictures come on one thread while the program asks and copies on others, so what one thread has found may be out of
/// date by the time it tells of it. A ``Look`` tells whether it is.
struct PullNotice {
    /// A moment at which a thread began to look for a new picture.
    struct Look: Equatable {
        fileprivate let number: Int
    }

    /// The outcome of a look.
    enum Outcome {
        case tell, wait
        /// Something changed since the look began.
        case lookAgain
    }

    /// Item time of the picture copied last.
    private var copied: CMTime?
    /// Item time that was asked for last.
    private var asked: CMTime?
    private var isWanted = false
    private var changeCount = 0

    /// Asks for one notice.
    mutating func request() { (isWanted, changeCount) = (true, changeCount + 1) }

    /// Notes the item time for which a program asks, as it does at each refresh of its display.
    ///
    /// - Returns: Whether it is more than a second from the one before: a jump that ``jump(to:)`` may have missed. A picture
    ///   itself may last longer.
    mutating func ask(at time: CMTime) -> Bool {
        defer { asked = time }
        guard copied != nil, let asked else { return false }
        return abs((time - asked).seconds) > 1
    }

    /// Notes the item time of a copied picture.
    mutating func copy(_ time: CMTime) { (copied, changeCount) = (time, changeCount + 1) }

    /// Forgets what was copied from another item.
    mutating func reset() { (copied, asked, changeCount) = (nil, nil, changeCount + 1) }

    /// Returns whether a picture is another than that copied last.
    func isNew(_ time: CMTime) -> Bool { copied != time }

    /// Notes a jump of the item's time.
    ///
    /// - Returns: Whether copied pictures are void. Pictures are copied a little ahead of their time, and continue after a short
    ///   step forward.
    mutating func jump(to time: CMTime) -> Bool {
        guard let copied else { return false }
        let distance = (time - copied).seconds
        guard distance < -0.001 || distance > 1 else { return false }
        reset()
        return true
    }

    /// Begins to look for a picture; `nil` if no notice is wanted.
    var look: Look? { isWanted ? Look(number: changeCount) : nil }

    /// Ends a look with the item time of the picture that was found, if any; the outcome ``Outcome/tell`` is the notice.
    mutating func end(_ look: Look, found time: CMTime?) -> Outcome {
        guard isWanted else { return .wait }
        guard look == self.look else { return .lookAgain }
        guard let time, isNew(time) else { return .wait }
        isWanted = false
        return .tell
    }
}
