import Glibc

/// A system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failed call, e.g. `bind`.
    public let operation: String
    /// The value of `errno` after the call.
    public let code: Int32

    /// Creates an error.
    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// The system's message for ``code``, e.g. "Connection refused".
    public var text: String {
        String(cString: strerror(code))
    }

    /// The message for logs: operation and the system's text.
    public var description: String { "\(operation): \(text)" }

    /// Creates an error from `errno` after a failed call on this thread.
    static func last(_ operation: String) -> SystemError { SystemError(operation: operation, code: errno) }
}

extension SystemError {
    /// `EADDRINUSE`: another socket has the port.
    public var isAddressInUse: Bool { code == EADDRINUSE }
    /// `EACCES` or `EPERM`: the system denies the operation to this user.
    public var isPermissionDenied: Bool { code == EACCES || code == EPERM }
    /// `ECONNREFUSED`: no process listens at that port.
    public var isConnectionRefused: Bool { code == ECONNREFUSED }
    /// `ETIMEDOUT`: the caller's or the kernel's time limit passed without a response.
    public var isTimeout: Bool { code == ETIMEDOUT }
    /// `ECANCELED`: the task was cancelled.
    public var isCancelled: Bool { code == ECANCELED }
    /// The address family or the address does not exist on this machine.
    public var isAddressUnavailable: Bool { code == EAFNOSUPPORT || code == EADDRNOTAVAIL }
}
