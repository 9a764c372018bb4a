import CTuttiLinux
import Glibc

/// A lease that lets one of several programs act: a counter of terms, and a lock for each term that ends with
/// its holder.
///
/// The programs share one unnamed file, which they pass to each other. The file holds the number of the
/// current term; the program that acts in term n holds the lock on byte n. The kernel releases the lock when
/// the program ends, however it ends. Thread-safe.
package final class SharedLease: Sendable {
    /// Largest term; terms are offsets in a file.
    package static let lastTerm: Int64 = 1 << 48
    private static let byteCount = 8

    /// Locks belong to an open file description, so each program opens the file for itself.
    private let file: SocketDescriptor
    /// The description that is passed on. No program locks with it, so it keeps no lock alive.
    private let carrier: SocketDescriptor

    /// Creates a lease and acquires its first term, 1.
    package init() throws(SystemError) {
        let number = shim_sealed_memory("tutti-lease", off_t(Self.byteCount))
        guard number >= 0 else { throw .last("memfd_create") }
        carrier = SocketDescriptor(number: number)
        file = try Self.opened(carrier)
        guard take(after: 0) else { throw .last("fcntl") }
    }

    /// Adopts a lease that another program has passed; holds no term.
    ///
    /// - Throws: `EPROTOTYPE` if the descriptor is no lease.
    package init(adopting passed: PassedDescriptor) throws(SystemError) {
        carrier = passed.descriptor
        file = try Self.opened(carrier)
        var about = stat()
        guard fstat(file.number, &about) == 0, about.st_mode & S_IFMT == S_IFREG,
            about.st_size == Self.byteCount
        else { throw SystemError(operation: "adopt", code: EPROTOTYPE) }
    }

    private static func opened(_ carrier: SocketDescriptor) throws(SystemError) -> SocketDescriptor {
        let number = open("/proc/self/fd/\(carrier.number)", O_RDWR | O_CLOEXEC)
        guard number >= 0 else { throw .last("open") }
        return SocketDescriptor(number: number)
    }

    /// The lease's file, for another program.
    package var passed: PassedDescriptor { PassedDescriptor(descriptor: carrier) }

    /// The term that was acquired last.
    package var term: Int64 {
        var value: Int64 = 0
        guard pread(file.number, &value, Self.byteCount, 0) == Self.byteCount else { return 0 }
        return min(max(value, 0), Self.lastTerm)
    }

    /// Returns whether another program holds a term, whether it runs or is stopped.
    package func isHeldElsewhere(_ term: Int64) -> Bool { shim_byte_is_locked(file.number, off_t(term)) > 0 }

    /// Acquires the term after `term`; returns `false` if another program was faster.
    package func take(after term: Int64) -> Bool {
        guard term < Self.lastTerm, shim_lock_byte(file.number, off_t(term + 1), 1) == 0 else { return false }
        var next = term + 1
        guard self.term == term, pwrite(file.number, &next, Self.byteCount, 0) == Self.byteCount else {
            letGo(of: term + 1)
            return false
        }
        return true
    }

    /// Releases a term.
    package func letGo(of term: Int64) { _ = shim_lock_byte(file.number, off_t(term), 0) }
}
