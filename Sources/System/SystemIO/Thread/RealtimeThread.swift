import CTuttiLinux
import Glibc

/// Dedicated threads for work that must be punctual.
public enum RealtimeThread {
    /// The kernel's scheduling of the thread.
    public enum Priority: Hashable, Sendable {
        /// Real-time, ahead of all ordinary threads (`SCHED_FIFO`).
        case realtime(Int32)
        /// Ordinary scheduling, because the system did not allow more.
        case ordinary
    }

    /// Runs `body` on a new thread at the highest priority obtainable.
    ///
    /// - Parameters:
    ///   - name: The name for debuggers; the first 15 bytes count.
    ///   - priority: The `SCHED_FIFO` priority to request, 1 ... 99.
    ///   - body: Receives the actual priority. The thread ends when it returns.
    /// - Throws: An error if the system refuses a thread.
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

    /// Names the calling thread; the first 15 bytes count.
    public static func nameCurrent(_ name: String) {
        _ = shim_name_thread(String(decoding: name.utf8.prefix(15), as: UTF8.self))
    }

    /// Requests `SCHED_FIFO` for the calling thread; halves the priority until the system accepts it.
    ///
    /// Threads that the calling thread creates later are ordinary again. Without that, libdispatch's workers,
    /// which any thread may cause to be created, would encode and decode ahead of every ordinary thread of the
    /// machine, and starve them on few cores (*observed*).
    ///
    /// Without the privilege (`CAP_SYS_NICE`, or a limit on real-time priority) the thread stays ordinary.
    /// - Returns: The priority obtained.
    @discardableResult
    public static func raiseCurrent(to priority: Int32) -> Priority {
        var wanted = priority
        while wanted > 0 {
            var parameters = sched_param()
            parameters.sched_priority = wanted
            if pthread_setschedparam(pthread_self(), SCHED_FIFO | shim_reset_on_fork, &parameters) == 0 {
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
