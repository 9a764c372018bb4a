import CoreMedia

/// The reports to observers of the items, of the line and of the schedule.
struct Reports: Sendable {
    var actions: [EngineAction] = []
    /// Placements last reported to observers.
    private var places: [EnginePlace] = []

    /// Posts a notice of an item.
    mutating func post(_ notice: ItemNotice, of id: ItemID) { actions.append(.post(id, notice)) }

    /// The item is no longer audible.
    mutating func stopLine(of id: ItemID) { actions.append(.stopLine(id)) }

    /// Reports where the scheduled items lie, if observers do not know.
    mutating func reportPlaces(of items: [ScheduledItem]) {
        let isKnown = places.elementsEqual(items) { $0.item == $1.item && $0.start == $1.start }
        guard !isKnown else { return }
        places = items.map { EnginePlace(item: $0.item, start: $0.start) }
        actions.append(.place(places))
    }
}
