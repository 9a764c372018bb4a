/// The work that a change of a zone leaves to the house.
struct ZoneEffect: OptionSet, Sendable {
    let rawValue: Int

    /// The zone's sessions are to be brought to its rooms, or closed.
    static let rooms = ZoneEffect(rawValue: 1)
    /// The zone is to be written and told.
    static let changed = ZoneEffect(rawValue: 2)
    /// The zone is to be told.
    static let told = ZoneEffect(rawValue: 4)
    /// The position is another one than surfaces expect, so that they are to be told in any case.
    static let moved = ZoneEffect(rawValue: 8)
}
