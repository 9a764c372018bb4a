import Glibc

/// The process's limit of open files.
enum OpenFiles {
    /// Descriptors for the rest of a program: databases, speakers, files.
    static let others = 1_000

    /// Raises the limit as far as the system allows; never lowers it.
    static func raiseLimit(to count: Int) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let wanted = min(rlim_t(count), limit.rlim_max)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
