import Testing

@testable import TuttiHouse

@Suite("Troubles of a house as a whole")
struct HouseTroublesTests {
    @Test("troubles of the service and of the library are told together, and once")
    func told() {
        let environment = HouseEnvironment.fake()
        let surface = RecordingSurface()
        environment.publisher.add(surface)
        let troubles = HouseTroubles(environment)
        let (port, folder) = (Trouble(code: "port", message: "P"), Trouble(code: "folder", message: "F"))
        (troubles.service, troubles.library) = ([port], [folder])
        troubles.publish()
        troubles.publish()
        #expect(surface.changes.map(\.body) == [HouseChange.Body.troubles([port, folder])])
        troubles.library = []
        troubles.publish()
        #expect(surface.changes.last?.body == HouseChange.Body.troubles([port]))
    }
}
