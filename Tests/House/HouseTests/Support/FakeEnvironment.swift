@testable import TuttiHouse

extension HouseEnvironment {
    /// An environment of fakes for parts of a house, at one moment, which stores nothing.
    static func fake(now: Double = 1000) -> HouseEnvironment {
        HouseEnvironment(
            HouseConfiguration(), items: EchoItems(), outputs: FakeOutputs(), now: { now }, log: { _, _ in })
    }
}
