internal import ClockService
internal import MediaTime

extension ClockService: SpeakerClock {}

extension NTPFollower: TimingSource {}

extension SpeakerIdentity: SpeakerIdentifying {}
