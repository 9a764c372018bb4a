#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reads this machine's monotonic clock, `CLOCK_MONOTONIC`, in nanoseconds.
///
/// Any thread may call. Allocates nothing, and makes no system call if the kernel maps the clock into the
/// process.
package func hostNanoseconds() -> Int64 {
    var reading = timespec()
    clock_gettime(CLOCK_MONOTONIC, &reading)
    return Int64(reading.tv_sec) &* 1_000_000_000 &+ Int64(reading.tv_nsec)
}
