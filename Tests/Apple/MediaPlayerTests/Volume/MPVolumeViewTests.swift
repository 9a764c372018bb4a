import Foundation
import Playback
import Testing
import TuttiRouteTestSupport
import TuttiTestSupport

@testable import MediaPlayer

/// A toolkit's list of outputs that closes at once.
@MainActor
private final class Toolkit: TuttiRoutePresenter {
    let opened = Recorder(0)

    func presentRoutes(_ session: TuttiRouteSession, from view: UIView?) async throws(RouteError) {
        opened.update { $0 += 1 }
    }

    func password(for route: TuttiRoute) async -> String? { nil }
}

@MainActor
@Suite("The volume view", .timeLimit(.minutes(10)))
struct MPVolumeViewTests {
    private static let frame = CGRect(x: 0, y: 0, width: 200, height: 40)

    private static func option(_ id: String, _ volume: Double?, isSelected: Bool = true) -> RouteOption {
        RouteOption(id: id, name: id, kind: .airPlay, isSelected: isSelected, volume: volume)
    }

    let routes = FakeRoutes([
        FakeRoutes.machine, option("a", 80), option("b", 40), option("c", 100, isSelected: false),
    ])
    let view: MPVolumeView
    let slider: UISlider
    let button: UIButton

    init() throws {
        view = MPVolumeView(frame: Self.frame, routes: routes)
        slider = try #require(view.subviews.compactMap { $0 as? UISlider }.first)
        button = try #require(view.subviews.compactMap { $0 as? UIButton }.first)
    }

    /// Waits until the view has updated on the main actor.
    private func settle(_ isDone: () -> Bool) async {
        while !isDone() { await Task.yield() }
    }

    @Test("the slider shows the loudest active output, and follows it")
    func showing() async {
        #expect(slider.value == 0.8 && slider.isEnabled)
        routes.setVolume(20, of: "a")
        await settle { slider.value == 0.4 }
        routes.set([FakeRoutes.machine])
        await settle { !slider.isEnabled }
        // A displayed volume is not sent back.
        #expect(routes.log.value.volumes == ["a 20.0"])
    }

    @Test("the slider moves all outputs in proportion")
    func setting() async {
        slider.value = 0.5
        #expect(routes.log.value.volumes.sorted() == ["a 50.0", "b 25.0"])
        slider.setValue(0, animated: false)
        slider.value = 0.3
        let last = routes.log.value.volumes.suffix(2).map { $0.prefix(4) }
        #expect(last == ["a 30", "b 30"])
    }

    @Test("the button opens the list of outputs")
    func picker() async throws {
        try await WholeProcess.alone {
            let old = (TuttiRoutePicker.presenter, CurrentRoutes.shared)
            defer { (TuttiRoutePicker.presenter, CurrentRoutes.shared) = old }
            let toolkit = Toolkit()
            (TuttiRoutePicker.presenter, CurrentRoutes.shared) = (toolkit, routes)
            button.sendActions(for: .touchUpInside)
            _ = try await toolkit.opened.wait(for: "the list") { $0 == 1 ? 1 : nil }
            await settle { !TuttiRoutePicker.isPresenting }
        }
    }

    @Test("slider and button have their frames")
    func places() {
        #expect(slider.frame == CGRect(x: 0, y: 0, width: 160, height: 40))
        #expect(button.frame == CGRect(x: 160, y: 0, width: 40, height: 40))
        view.showsRouteButton = false
        view.frame = CGRect(x: 9, y: 9, width: 100, height: 20)
        #expect(button.isHidden && slider.frame == CGRect(x: 0, y: 0, width: 100, height: 20))
        view.showsVolumeSlider = false
        #expect(slider.isHidden)
    }

    @Test("the availability of other outputs is notified")
    func wireless() async {
        let heard = Recorder<[String]>([])
        let names: [NSNotification.Name] = [
            .MPVolumeViewWirelessRoutesAvailableDidChange, .MPVolumeViewWirelessRouteActiveDidChange,
        ]
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: view, queue: nil) { note in
                heard.update { $0.append("\(note.name == names[0])") }
            }
        }
        #expect(view.areWirelessRoutesAvailable && view.isWirelessRouteActive)
        routes.set([FakeRoutes.machine])
        await settle { !view.areWirelessRoutesAvailable && !view.isWirelessRouteActive }
        routes.set([FakeRoutes.machine, FakeRoutes.kitchen])
        await settle { view.areWirelessRoutesAvailable }
        #expect(!view.isWirelessRouteActive)
        let told = try? await heard.wait(for: "three notifications") { $0.count == 3 ? $0 : nil }
        #expect(told == ["true", "false", "true"])
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    @Test("appearance settings are kept for the toolkit")
    func looks() throws {
        let data = MPNowPlayingInfoCenterTests.picture
        let image = try #require(UIImage(data: data))
        view.setVolumeThumbImage(image, for: .normal)
        view.setMinimumVolumeSliderImage(image, for: .normal)
        view.setMaximumVolumeSliderImage(image, for: .highlighted)
        view.setRouteButtonImage(image, for: .normal)
        #expect(view.volumeThumbImage(for: .normal) === image)
        #expect(view.minimumVolumeSliderImage(for: .normal) === image)
        #expect(view.maximumVolumeSliderImage(for: .highlighted) === image)
        #expect(view.routeButtonImage(for: .normal) === image)
    }

    @Test("a deallocated view stops observing")
    func lifetime() {
        let before = routes.log.value.observers
        do { _ = MPVolumeView(frame: .zero, routes: routes) }
        #expect(routes.log.value.observers == before)
    }
}
