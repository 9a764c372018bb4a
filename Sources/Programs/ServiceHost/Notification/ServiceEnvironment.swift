import Glibc

/// The words of the service manager in the environment. Source: sd_notify(3), sd_watchdog_enabled(3).
package struct ServiceEnvironment: Hashable, Sendable {
    /// The address of the manager's socket; a path, or an abstract address that begins with `@`. `nil` without a
    /// manager that wants messages.
    package let socketAddress: String?
    /// The longest time between two signs of health; `nil` without a watchdog.
    package let watchdogLimit: Duration?

    /// Interprets environment variables; ignores malformed ones.
    ///
    /// - Parameter processID: The process that asks; `nil` for this one.
    package init(_ environment: [String: String], processID: Int32? = nil) {
        socketAddress = environment["NOTIFY_SOCKET"].flatMap { address in
            let isKnown = address.hasPrefix("/") || address.hasPrefix("@")
            return isKnown && (2...Self.addressLimit).contains(address.utf8.count) ? address : nil
        }
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(processID ?? getpid()) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        let isValid = isOurs && socketAddress != nil && (1...Self.watchdogMaximum).contains(microseconds)
        watchdogLimit = isValid ? .microseconds(microseconds) : nil
    }

    /// Takes the variables of this process away, so that no program that it starts uses them.
    ///
    /// Call it before other threads exist: the environment has no lock.
    package static func take() -> ServiceEnvironment {
        take(read: { name in getenv(name).map { String(cString: $0) } }, remove: { unsetenv($0) })
    }

    /// Takes the variables out of an environment; the tests' has nothing to do with the process's.
    static func take(read: (String) -> String?, remove: (String) -> Void) -> ServiceEnvironment {
        var values: [String: String] = [:]
        for name in names {
            values[name] = read(name)
            remove(name)
        }
        return ServiceEnvironment(values)
    }

    private static let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
    /// The size of `sun_path`, less the final zero of a path.
    private static let addressLimit = 107
    /// A year: far from any overflow.
    private static let watchdogMaximum: Int64 = 366 * 86_400 * 1_000_000
}
