// Names of lower layers in the interface of ``RouteCatalogue``: a program that imports Playback needs no other
// module to choose an output and to handle its events.
@_exported import struct AirPlayMessages.ReceiverDescription
@_exported import struct AirPlaySender.PairedSpeaker
@_exported import class AirPlaySender.SpeakerPairings
@_exported import struct AudioOutput.OutputSpecification
@_exported import struct AudioOutput.OutputSpecificationError
@_exported import enum ClockService.ClockServiceError
@_exported import enum ClockService.PeerClockState
@_exported import enum Discovery.DiscoveryError
@_exported import enum Discovery.SpeakerLookupError
@_exported import struct MediaTime.ClockIdentity
@_exported import struct SystemIO.IPAddress
@_exported import struct SystemIO.SocketAddress
