// Deprecated spellings, which say "master" for "source".

extension CMTimebase {
    /// Creates a timebase that follows a clock.
    @available(*, deprecated, renamed: "init(sourceClock:)")
    public convenience init(masterClock: CMClock) { self.init(sourceClock: masterClock) }

    /// Creates a timebase that follows another timebase.
    @available(*, deprecated, renamed: "init(sourceTimebase:)")
    public convenience init(masterTimebase: CMTimebase) { self.init(sourceTimebase: masterTimebase) }

    /// The clock or timebase that this timebase follows.
    @available(*, deprecated, renamed: "source")
    public var master: any CMSyncProtocol {
        get { source }
        set { source = newValue }
    }

    /// The source if it is a clock, else `nil`.
    @available(*, deprecated, renamed: "sourceClock")
    public var masterClock: CMClock? { sourceClock }

    /// The source if it is a timebase, else `nil`.
    @available(*, deprecated, renamed: "sourceTimebase")
    public var masterTimebase: CMTimebase? { sourceTimebase }

    /// The clock at the end of the chain of sources.
    @available(*, deprecated, renamed: "ultimateSourceClock")
    public var ultimateMasterClock: CMClock { ultimateSourceClock }
}

/// Creates a timebase that follows a clock.
@available(*, deprecated, renamed: "CMTimebaseCreateWithSourceClock(allocator:sourceClock:timebaseOut:)")
@discardableResult
public func CMTimebaseCreateWithMasterClock(
    allocator: CFAllocator?, masterClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    CMTimebaseCreateWithSourceClock(
        allocator: allocator, sourceClock: masterClock, timebaseOut: timebaseOut)
}

/// Creates a timebase that follows another timebase.
@available(
    *, deprecated, renamed: "CMTimebaseCreateWithSourceTimebase(allocator:sourceTimebase:timebaseOut:)"
)
@discardableResult
public func CMTimebaseCreateWithMasterTimebase(
    allocator: CFAllocator?, masterTimebase: CMTimebase, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    CMTimebaseCreateWithSourceTimebase(
        allocator: allocator, sourceTimebase: masterTimebase, timebaseOut: timebaseOut)
}

/// Makes the timebase follow a clock.
@available(*, deprecated, renamed: "CMTimebaseSetSourceClock(_:newSourceClock:)")
@discardableResult
public func CMTimebaseSetMasterClock(_ timebase: CMTimebase, newMasterClock: CMClock) -> OSStatus {
    CMTimebaseSetSourceClock(timebase, newSourceClock: newMasterClock)
}

/// Makes the timebase follow another timebase.
@available(*, deprecated, renamed: "CMTimebaseSetSourceTimebase(_:newSourceTimebase:)")
@discardableResult
public func CMTimebaseSetMasterTimebase(_ timebase: CMTimebase, newMasterTimebase: CMTimebase) -> OSStatus {
    CMTimebaseSetSourceTimebase(timebase, newSourceTimebase: newMasterTimebase)
}

/// Returns the source.
@available(*, deprecated, renamed: "CMTimebaseCopySource(_:)")
@discardableResult
public func CMTimebaseCopyMaster(_ timebase: CMTimebase) -> any CMSyncProtocol { timebase.source }

/// Returns the source if it is a clock, else `nil`.
@available(*, deprecated, renamed: "CMTimebaseCopySourceClock(_:)")
@discardableResult
public func CMTimebaseCopyMasterClock(_ timebase: CMTimebase) -> CMClock? { timebase.sourceClock }

/// Returns the source if it is a timebase, else `nil`.
@available(*, deprecated, renamed: "CMTimebaseCopySourceTimebase(_:)")
@discardableResult
public func CMTimebaseCopyMasterTimebase(_ timebase: CMTimebase) -> CMTimebase? { timebase.sourceTimebase }

/// Returns the clock at the end of the chain of sources.
@available(*, deprecated, renamed: "CMTimebaseCopyUltimateSourceClock(_:)")
@discardableResult
public func CMTimebaseCopyUltimateMasterClock(_ timebase: CMTimebase) -> CMClock {
    timebase.ultimateSourceClock
}

/// Returns the source.
@available(*, deprecated, renamed: "CMTimebaseCopySource(_:)")
@discardableResult
public func CMTimebaseGetMaster(_ timebase: CMTimebase) -> any CMSyncProtocol { timebase.source }

/// Returns the source if it is a clock, else `nil`.
@available(*, deprecated, renamed: "CMTimebaseCopySourceClock(_:)")
@discardableResult
public func CMTimebaseGetMasterClock(_ timebase: CMTimebase) -> CMClock? { timebase.sourceClock }

/// Returns the source if it is a timebase, else `nil`.
@available(*, deprecated, renamed: "CMTimebaseCopySourceTimebase(_:)")
@discardableResult
public func CMTimebaseGetMasterTimebase(_ timebase: CMTimebase) -> CMTimebase? { timebase.sourceTimebase }

/// Returns the clock at the end of the chain of sources.
@available(*, deprecated, renamed: "CMTimebaseCopyUltimateSourceClock(_:)")
@discardableResult
public func CMTimebaseGetUltimateMasterClock(_ timebase: CMTimebase) -> CMClock {
    timebase.ultimateSourceClock
}
