import AVKit
import Playback
import Testing
import TuttiRouteTestSupport
import TuttiTestSupport

/// A delegate that logs the picker's calls, without the optional functions.
@MainActor
private final class Delegate: NSObject, AVRoutePickerViewDelegate {
    var heard: [String] = []

    func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView) {
        heard.append("begin")
    }
    func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView) { heard.append("end") }
}

/// Implements neither optional function.
@MainActor
private final class SilentDelegate: NSObject, AVRoutePickerViewDelegate {}

/// A toolkit's list of outputs, for tests.
@MainActor
private final class Toolkit: TuttiRoutePresenter {
    var body: (TuttiRouteSession) async throws(RouteError) -> Void
    var views: [UIView?] = []
    let closed = Recorder(0)

    init(_ body: @escaping (TuttiRouteSession) async throws(RouteError) -> Void) { self.body = body }

    func presentRoutes(_ session: TuttiRouteSession, from view: UIView?) async throws(RouteError) {
        views.append(view)
        defer { closed.update { $0 += 1 } }
        try await body(session)
    }

    func password(for route: TuttiRoute) async -> String? { "of \(route.name)" }
}

@MainActor
@Suite("The route picker")
struct AVRoutePickerViewTests {
    private let routes = FakeRoutes([FakeRoutes.machine, FakeRoutes.bath, FakeRoutes.kitchen])
    private let view = AVRoutePickerView(frame: CGRect(x: 0, y: 0, width: 44, height: 30))
    private let delegate = Delegate()

    init() { view.delegate = delegate }

    /// Replaces the process's presenter and outputs.
    private func alone(_ body: @MainActor () async throws -> Void) async throws {
        try await WholeProcess.alone {
            let old = (CurrentRoutes.shared, TuttiRoutePicker.presenter)
            defer { (CurrentRoutes.shared, TuttiRoutePicker.presenter) = old }
            CurrentRoutes.shared = routes
            try await body()
        }
    }

    private func use(_ body: @escaping (TuttiRouteSession) async throws(RouteError) -> Void) -> Toolkit {
        let toolkit = Toolkit(body)
        TuttiRoutePicker.presenter = toolkit
        return toolkit
    }

    @Test("the delegate hears opening and end; the toolkit has every control")
    func session() async throws {
        try await alone {
            let delegate = delegate
            let toolkit = use { session throws(RouteError) in
                #expect(delegate.heard == ["begin"])
                #expect(session.routes.map(\.name) == ["This machine", "Bath", "Kitchen"])
                #expect(session.group.map(\.id) == ["local"])
                try await session.select(["k"])
                try await session.setSelected(true, "b")
                #expect(session.group.map(\.id) == ["b", "k"])
                try await session.setSelected(false, "k")
                session.setVolume(200, of: "b")
                session.setVolume(.nan, of: "b")
            }
            try await view.tuttiPresentRoutes()
            #expect(delegate.heard == ["begin", "end"])
            #expect(toolkit.views == [view])
            let log = routes.log.value
            #expect(log.choices == [["k"], ["k", "b"], ["b"]])
            #expect(log.passwords == ["of Bath", "of Bath"] && log.volumes == ["b 100.0"])
            #expect(log.searches == 0 && log.observers == 0 && !log.hasPrompt)
        }
    }

    @Test("outputs that appear are reported while the list is open")
    func changes() async throws {
        try await alone {
            let routes = routes
            let (names, told) = (Recorder<[String]>([]), Recorder(0))
            let toolkit = use { session throws(RouteError) in
                session.onChange = {
                    names.update { $0 = session.routes.map(\.name) }
                    told.update { $0 += 1 }
                }
                routes.set([FakeRoutes.machine])
                // Waits for the main actor to process it.
                _ = try? await told.wait(for: "the news") { $0 > 0 ? 1 : nil }
            }
            try await view.tuttiPresentRoutes()
            #expect(names.value == ["This machine"])
            withExtendedLifetime(toolkit) {}
        }
    }

    @Test("the inner button opens the list, too")
    func button() async throws {
        try await alone {
            let toolkit = use { _ throws(RouteError) in }
            let button = try #require(view.subviews.first as? UIButton)
            #expect(button.frame == CGRect(x: 0, y: 0, width: 44, height: 30))
            button.sendActions(for: .touchUpInside)
            _ = try await toolkit.closed.wait(for: "the end of the list") { $0 == 1 ? 1 : nil }
            view.frame = CGRect(x: 5, y: 5, width: 10, height: 10)
            #expect(button.frame == CGRect(x: 0, y: 0, width: 10, height: 10))
        }
    }

    @Test("a failure reaches the caller, and the delegate hears the end")
    func failure() async throws {
        try await alone {
            let toolkit = use { _ throws(RouteError) in throw RouteError("no screen") }
            await #expect(throws: RouteError("no screen")) { try await view.tuttiPresentRoutes() }
            #expect(delegate.heard == ["begin", "end"])
            withExtendedLifetime(toolkit) {}
        }
    }

    @Test("only one list is open at a time")
    func once() async throws {
        try await alone {
            let other = AVRoutePickerView(frame: .zero)
            let otherDelegate = Delegate()
            other.delegate = otherDelegate
            let toolkit = use { _ throws(RouteError) in try await other.tuttiPresentRoutes() }
            try await view.tuttiPresentRoutes()
            #expect(toolkit.views == [view] && otherDelegate.heard.isEmpty)
        }
    }

    @Test("a delegate may lack the functions or be missing")
    func optional() async throws {
        try await alone {
            let toolkit = use { _ throws(RouteError) in }
            let silent = SilentDelegate()
            view.delegate = silent
            try await view.tuttiPresentRoutes()
            view.delegate = nil
            try await view.tuttiPresentRoutes()
            #expect(toolkit.views.count == 2)
        }
    }

    @Test("colors are kept")
    func colors() {
        view.tintColor = .red
        view.activeTintColor = .green
        #expect(view.routePickerButtonColor(for: .normal) == .red)
        view.setRoutePickerButtonColor(.blue, for: .active)
        #expect(view.routePickerButtonColor(for: .active) == .blue)
        view.setRoutePickerButtonColor(nil, for: .active)
        #expect(view.routePickerButtonColor(for: .active) == .red)
        #expect(view.activeTintColor == .green)
    }
}
