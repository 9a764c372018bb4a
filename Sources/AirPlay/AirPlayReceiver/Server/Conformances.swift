import TuttiClockService
import TuttiMediaTime

extension ClockService: SpeakerClock {}

extension NTPFollower: TimingSource {}

extension SpeakerIdentity: SpeakerIdentifying {}
