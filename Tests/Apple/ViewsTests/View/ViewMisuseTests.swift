import Foundation
import Testing
import TuttiViews

// Apple raises an exception here: a debug build stops, a release build ignores the call.

/// Calls that no correct program makes.
enum ViewMisuse: String, CaseIterable, Codable, Sendable {
    case viewInItself, viewInItsSubview

    /// Makes the call.
    ///
    /// - Returns: Whether the call had no effect.
    @MainActor
    func isWithoutEffect() -> Bool {
        let (view, subview) = (UIView(frame: .zero), UIView(frame: .zero))
        view.addSubview(subview)
        switch self {
        case .viewInItself: view.addSubview(view)
        case .viewInItsSubview: subview.addSubview(view)
        }
        return view.superview == nil && view.subviews == [subview] && subview.subviews.isEmpty
    }
}

@Suite("API misuse: views")
struct ViewMisuseTests {
    private static let rule = "a view cannot be inside itself"

    #if DEBUG
    @Test("misuse stops a debug build, and names the rule", arguments: ViewMisuse.allCases)
    func stops(misuse: ViewMisuse) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [misuse] in
            _ = await misuse.isWithoutEffect()
        }
        let words = try #require(result?.standardErrorContent)
        #expect(String(decoding: words, as: UTF8.self).contains(Self.rule))
    }
    #else
    @Test("misuse has no effect in a release build", arguments: ViewMisuse.allCases)
    func ignored(misuse: ViewMisuse) async { #expect(await misuse.isWithoutEffect()) }
    #endif
}
