import Testing

extension Tag {
    /// Tests that use sockets, threads, watches of files or other programs of this machine, and so depend on its scheduler.
    ///
    /// They wait for an outcome with a limit of 30 s or more that no passing test reaches, and judge outcomes and order, not
    /// durations. `scripts/machine-tests.py` finds suites that lack the tag.
    @Tag package static var machine: Self
}
