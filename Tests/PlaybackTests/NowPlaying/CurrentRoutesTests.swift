import RouteTestSupport
import Testing

@testable import Playback

@Suite("no outputs to choose from")
struct NoRoutesTests {
    @Test("says so, and does nothing")
    func nothing() async {
        let routes = NoRoutes()
        #expect(routes.options.isEmpty)
        let held = (routes.search(), routes.observe { _ in Issue.record("told of nothing") })
        routes.setVolume(3, of: "x")
        routes.setPasswordPrompt { _ in nil }
        await #expect(throws: RouteError("there is no output to choose")) { try await routes.choose(["x"]) }
        withExtendedLifetime(held) {}
    }
}
