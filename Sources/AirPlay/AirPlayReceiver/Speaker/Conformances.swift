internal import TuttiClockService
internal import TuttiMediaTime

extension ClockService: SpeakerClock {}

extension NTPFollower: TimingSource {}

extension SpeakerIdentity: SpeakerIdentifying {}
