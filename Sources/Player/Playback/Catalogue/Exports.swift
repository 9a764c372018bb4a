// Names of lower layers in the interface of ``RouteCatalogue``: a program that imports Playback needs no other
// module to choose an output and to handle its events.
@_exported import struct AirPlayMessages.ReceiverDescription
@_exported import struct AirPlaySender.NamedSpeaker
@_exported import struct AirPlaySender.PairedSpeaker
@_exported import class AirPlaySender.SpeakerPairings
@_exported import struct TuttiAudioOutput.OutputSpecification
@_exported import struct TuttiAudioOutput.OutputSpecificationError
@_exported import enum TuttiClockService.ClockServiceError
@_exported import enum TuttiClockService.PeerClockState
@_exported import enum TuttiDiscovery.DiscoveryError
@_exported import enum TuttiDiscovery.SpeakerLookupError
@_exported import struct TuttiMediaTime.ClockIdentity
@_exported import struct TuttiPCM.SoundTreatment
@_exported import struct TuttiSystemIO.IPAddress
@_exported import struct TuttiSystemIO.SocketAddress
