import Testing
import TuttiSystemIO

@Suite("a weak reference")
struct WeakReferenceTests {
    private final class Token: Sendable {}

    @Test("gives the object while it lives")
    func lives() {
        let token = Token()
        let reference = WeakReference(token)
        #expect(reference.object === token)
        withExtendedLifetime(token) {}
    }

    @Test("does not keep the object alive")
    func ends() {
        let references = (0..<3).map { _ in WeakReference(Token()) }
        #expect(references.allSatisfy { $0.object == nil })
        #expect(WeakReference<Token>(nil).object == nil)
    }

    private protocol Listening: AnyObject { var name: String { get } }
    private final class Listener: Listening { let name = "listener" }

    @Test("a delegate need not be Sendable, and is not kept alive either")
    func delegates() {
        var listener: Listener? = Listener()
        let reference = WeakDelegate<any Listening>(listener)
        #expect(reference.delegate?.name == "listener")
        listener = nil
        #expect(reference.delegate == nil)
        #expect(WeakDelegate<any Listening>(nil).delegate == nil)
    }
}
