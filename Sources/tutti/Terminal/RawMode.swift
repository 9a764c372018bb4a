import Glibc
import Synchronization

/// A terminal that gives every key at once and does not show it. Ctrl-C and Ctrl-Z stay signals.
///
/// The old mode comes back when the value ends, by ``giveBack()``, and when a signal kills or suspends
/// the program; after a suspension raw mode is set again. One at a time in a process.
struct RawMode: ~Copyable {
    // A value without a stored property would run `deinit` even when `init` fails.
    private let descriptor: Int32

    /// - Returns: `nil` when the descriptor is no terminal, or raw mode is on already.
    init?(_ descriptor: Int32) {
        guard TerminalGuard.begin(descriptor) else { return nil }
        self.descriptor = descriptor
    }

    deinit { TerminalGuard.end() }

    /// Before the program ends, whoever has the value.
    static func giveBack() { TerminalGuard.restore() }
}

/// What the handlers of signals need to know, readable at any moment.
private enum TerminalGuard {
    /// Written once before ``isActive`` becomes true and never freed: a handler may read it at any time.
    private struct Saved {
        let descriptor: Int32
        var original: termios
        var raw: termios
    }

    /// The address of a `Saved`, 0 at first.
    private static let saved = Atomic<UInt>(0)
    private static let isActive = Atomic<Bool>(false)
    private static let areHandlersInstalled = Atomic<Bool>(false)

    /// Signals that end a program that does not handle them. SIGINT and SIGTERM are left alone when the
    /// program reads them itself (``SignalStream``).
    private static let fatalSignals = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP,
    ]

    static func begin(_ descriptor: Int32) -> Bool {
        var original = termios()
        guard tcgetattr(descriptor, &original) == 0 else { return false }
        guard
            isActive.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
                .exchanged
        else { return false }
        var raw = original
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        let pointer = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
        pointer.initialize(to: Saved(descriptor: descriptor, original: original, raw: raw))
        // The earlier one, if any, is left in memory: a handler may be reading it.
        saved.store(UInt(bitPattern: pointer), ordering: .releasing)
        installHandlers()
        tcsetattr(descriptor, TCSANOW, &raw)
        return true
    }

    static func end() {
        restore()
        isActive.store(false, ordering: .releasing)
    }

    /// Only calls what POSIX allows in a handler.
    static func restore() {
        guard let saved = current else { return }
        tcsetattr(saved.pointee.descriptor, TCSANOW, &saved.pointee.original)
    }

    static func setRawAgain() {
        guard let saved = current else { return }
        tcsetattr(saved.pointee.descriptor, TCSANOW, &saved.pointee.raw)
    }

    private static var current: UnsafeMutablePointer<Saved>? {
        guard isActive.load(ordering: .acquiring) else { return nil }
        return UnsafeMutablePointer(bitPattern: saved.load(ordering: .acquiring))
    }

    private static func installHandlers() {
        guard !areHandlersInstalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        for number in fatalSignals { handle(number) { TerminalGuard.restoreAndRaise($0) } }
        handle(SIGTSTP) { TerminalGuard.restoreAndRaise($0) }
        handle(SIGCONT) { _ in TerminalGuard.returnFromSuspension() }
    }

    /// Installs a handler where nobody else has.
    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var current = sigaction()
        sigaction(number, nil, &current)
        guard current.__sigaction_handler.sa_handler == nil else { return }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        sigaction(number, &action, nil)
    }

    /// Lets the signal do what it does by itself, with the terminal in order.
    private static func restoreAndRaise(_ number: Int32) {
        restore()
        signal(number, SIG_DFL)
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        raise(number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
    }

    private static func returnFromSuspension() {
        setRawAgain()
        handle(SIGTSTP) { TerminalGuard.restoreAndRaise($0) }
    }
}
