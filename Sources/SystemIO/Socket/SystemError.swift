internal import Glibc

/// A system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call, e.g. `bind`.
    public let operation: String
    /// The value of `errno` after it.
    public let code: Int32

    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// The system's words for ``code``, e.g. "Connection refused".
    public var text: String {
        String(cString: strerror(code))
    }

    public var description: String { "\(operation): \(text)" }

    /// The error of a call that has just failed on this thread.
    static func last(_ operation: String) -> SystemError { SystemError(operation: operation, code: errno) }
}

extension SystemError {
    /// `EADDRINUSE`: another socket has the port.
    public var isAddressInUse: Bool { code == EADDRINUSE }
    /// `EACCES` or `EPERM`: the system does not allow it to this user.
    public var isPermissionDenied: Bool { code == EACCES || code == EPERM }
    /// `ECONNREFUSED`: nothing listens at that port.
    public var isConnectionRefused: Bool { code == ECONNREFUSED }
    /// `ETIMEDOUT`: our own limit or the kernel's passed without an answer.
    public var isTimeout: Bool { code == ETIMEDOUT }
    /// `ECANCELED`: the task was cancelled.
    public var isCancelled: Bool { code == ECANCELED }
    /// The address family or the address does not exist on this machine.
    public var isAddressUnavailable: Bool { code == EAFNOSUPPORT || code == EADDRNOTAVAIL }
}
