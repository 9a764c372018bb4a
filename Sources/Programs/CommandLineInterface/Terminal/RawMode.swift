import Glibc
import Synchronization

/// A terminal mode without line editing and echo. Ctrl-C and Ctrl-Z still raise signals.
///
/// The end of the value, ``giveBack()``, and a signal that kills or suspends the program restore the old
/// mode; after a suspension raw mode resumes. A process can have one such value at a time.
public struct RawMode: ~Copyable, Sendable {
    // A value without a stored property would run `deinit` even if `init` fails.
    private let descriptor: Int32

    /// Sets raw mode.
    ///
    /// - Returns: `nil` if the descriptor is not a terminal, or raw mode is already on.
    public init?(_ descriptor: Int32) {
        guard TerminalGuard.begin(descriptor) else { return nil }
        self.descriptor = descriptor
    }

    deinit { TerminalGuard.end() }

    /// Restores the old mode before the program ends, regardless of the value's owner.
    public static func giveBack() { TerminalGuard.restore() }
}

/// The state that signal handlers need, readable at any time.
private enum TerminalGuard {
    /// The saved modes. Written once before ``isActive`` becomes true and never freed, because a handler may
    /// read them at any time.
    private struct Saved {
        let descriptor: Int32
        var original: termios
        var raw: termios
    }

    /// The address of a `Saved`; 0 initially.
    private static let saved = Atomic<UInt>(0)
    private static let isActive = Atomic<Bool>(false)
    private static let areHandlersInstalled = Atomic<Bool>(false)

    /// Signals that end a program without a handler. `handle` skips SIGINT and SIGTERM if the program reads
    /// them itself (``SignalStream``).
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
        // An earlier value is leaked on purpose: a handler may be reading it.
        saved.store(UInt(bitPattern: pointer), ordering: .releasing)
        installHandlers()
        tcsetattr(descriptor, TCSANOW, &raw)
        return true
    }

    static func end() {
        restore()
        isActive.store(false, ordering: .releasing)
    }

    /// Restores the original mode; async-signal-safe.
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

    /// Installs a handler unless the signal already has one.
    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var current = sigaction()
        sigaction(number, nil, &current)
        guard current.__sigaction_handler.sa_handler == nil else { return }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        sigaction(number, &action, nil)
    }

    /// Restores the terminal, then re-raises the signal with its default action.
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
