import TuttiHouse

/// A house whose commands come from a surface of another name than `web`.
final class NamedOrigin: HouseControlling {
    private let house: any HouseControlling
    private let surface: String

    init(_ house: any HouseControlling, _ surface: String) { (self.house, self.surface) = (house, surface) }

    func snapshot() async -> HouseSnapshot { await house.snapshot() }

    func queue(of zone: ZoneID, _ range: Range<Int>) async throws(HouseError) -> QueuePage {
        try await house.queue(of: zone, range)
    }

    func libraryDidChange() async { await house.libraryDidChange() }

    func perform(_ command: HouseCommand, from origin: CommandOrigin) async throws(HouseError)
        -> CommandOutcome
    {
        // The clients of a socket have no address of their own.
        try await house.perform(command, from: CommandOrigin(surface: surface))
    }
}
