/// The identifier of a track in a file or movie; constant as long as the file does not change.
public typealias CMPersistentTrackID = Int32

/// The identifier that no track has.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
