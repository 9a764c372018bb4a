/// Names a track of a file or movie; never changes while the file does not.
public typealias CMPersistentTrackID = Int32

/// The number that no track has.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
