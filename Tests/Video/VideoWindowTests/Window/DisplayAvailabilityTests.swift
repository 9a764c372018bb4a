import Testing

@testable import VideoWindow

@Suite("Availability of a display")
struct DisplayAvailabilityTests {
    static let table: [(variables: [String: String], isNamed: Bool)] = [
        ([:], false), (["DISPLAY": ""], false), (["DISPLAY": ":0"], true), (["HOME": "/"], false),
        (["WAYLAND_DISPLAY": "wayland-0"], true), (["SDL_VIDEODRIVER": "dummy"], true),
    ]

    @Test("a display is expected where the environment names one", arguments: table)
    func named(row: (variables: [String: String], isNamed: Bool)) {
        #expect(DisplayAvailability.isDisplayNamed(in: { row.variables[$0] }) == row.isNamed)
    }

    @Test("errors tell what to do")
    func sentences() {
        #expect("\(VideoWindowError.noDisplay)".contains("--no-video"))
        #expect("\(VideoWindowError.libraryMissing("no file"))".contains("libsdl2"))
        #expect("\(VideoWindowError.failed(operation: "SDL_X", message: "no"))".contains("SDL_X: no"))
    }
}
