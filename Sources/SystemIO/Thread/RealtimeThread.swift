internal import CLinux
internal import Glibc

/// A thread of its own for work that must be punctual.
public enum RealtimeThread {
    /// How the kernel schedules the thread.
    public enum Priority: Hashable, Sendable {
        /// Ahead of all ordinary threads (`SCHED_FIFO`).
        case realtime(Int32)
        /// Like any other: the system did not allow more.
        case ordinary
    }

    /// Runs `body` on a new thread at the highest priority obtainable.
    ///
    /// - Parameters:
    ///   - name: For debuggers; the first 15 characters count.
    ///   - priority: The `SCHED_FIFO` priority to ask for, 1 ... 99.
    ///   - body: Gets the priority that the thread has. The thread ends when it returns.
    /// - Throws: When there is no thread to be had.
    public static func start(
        name: String, priority: Int32, _ body: @escaping @Sendable (Priority) -> Void
    ) throws(SystemError) {
        let work = Unmanaged.passRetained(Work(name: name, priority: priority, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw SystemError(operation: "pthread_create", code: code)
        }
    }

    /// Names the calling thread; the first 15 characters count.
    public static func nameCurrent(_ name: String) {
        _ = shim_name_thread(String(decoding: name.utf8.prefix(15), as: UTF8.self))
    }

    /// Asks for `SCHED_FIFO` for the calling thread.
    ///
    /// Without the privilege (`CAP_SYS_NICE`, or a limit on real-time priority) the thread stays as it is.
    @discardableResult
    public static func raiseCurrent(to priority: Int32) -> Priority {
        var wanted = priority
        while wanted > 0 {
            var parameters = sched_param()
            parameters.sched_priority = wanted
            if pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0 {
                return .realtime(wanted)
            }
            wanted /= 2
        }
        return .ordinary
    }

    private final class Work {
        let name: String
        let priority: Int32
        let body: @Sendable (Priority) -> Void

        init(name: String, priority: Int32, body: @escaping @Sendable (Priority) -> Void) {
            self.name = name
            self.priority = priority
            self.body = body
        }

        func run() {
            RealtimeThread.nameCurrent(name)
            body(RealtimeThread.raiseCurrent(to: priority))
        }
    }
}
