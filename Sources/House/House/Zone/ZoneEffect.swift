/// The work that a change of a zone leaves to the house.
struct ZoneEffect: OptionSet, Sendable {
    let rawValue: Int

    /// The zone's sessions are to be brought to its rooms, or closed.
    static let rooms = ZoneEffect(rawValue: 1)
    /// The zone is to be written, and surfaces are to get its state.
    static let changed = ZoneEffect(rawValue: 2)
    /// Surfaces are to get the zone's state, which is not written.
    static let told = ZoneEffect(rawValue: 4)
    /// The position is another one than surfaces expect, so that they get the state in any case; together with ``changed`` or ``told``.
    static let moved = ZoneEffect(rawValue: 8)
}
