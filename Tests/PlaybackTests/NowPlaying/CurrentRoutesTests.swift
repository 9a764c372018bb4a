import Playback
import Testing

@Suite("the outputs that pickers choose from")
struct CurrentRoutesTests {
    @Test("are the catalogue's, unless replaced")
    func standard() { #expect(CurrentRoutes.shared === RouteCatalogue.shared) }
}
