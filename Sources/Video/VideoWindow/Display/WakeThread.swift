import CTuttiSDL
import Dispatch
import TuttiSystemIO

/// A thread that ends the display thread's wait for events.
///
/// On X11, SDL sends a request to the server on the thread that pushes an event, and a thread whose request fails
/// because the server is gone never returns from it. So no thread of the program pushes events.
final class WakeThread: Sendable {
    private let library: SDLLibrary
    private let signalled = DispatchSemaphore(value: 0)

    init(_ library: SDLLibrary) { self.library = library }

    /// - Throws: An error if the system refuses a thread.
    func start() throws(SystemError) {
        try RealtimeThread.start(name: "tutti-wake", priority: 0) { [self] _ in run() }
    }

    func signal() { signalled.signal() }

    private func run() {
        tutti_x11_join_guard()
        while true {
            signalled.wait()
            var event = SDL_Event()
            event.type = SDL_USEREVENT.rawValue
            _ = library.functions.SDL_PushEvent(&event)
        }
    }
}
