/// The name of ``AVPlayer/Status`` in Objective-C.
public typealias AVPlayerStatus = AVPlayer.Status
/// The name of ``AVPlayer/TimeControlStatus`` in Objective-C.
public typealias AVPlayerTimeControlStatus = AVPlayer.TimeControlStatus
/// The name of ``AVPlayer/ActionAtItemEnd`` in Objective-C.
public typealias AVPlayerActionAtItemEnd = AVPlayer.ActionAtItemEnd
/// The name of ``AVPlayerItem/Status`` in Objective-C.
public typealias AVPlayerItemStatus = AVPlayerItem.Status
