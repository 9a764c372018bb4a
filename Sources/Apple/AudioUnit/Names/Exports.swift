// Apple's former name of a part of AudioToolbox, for programs that still import it. There are no audio units.

@_exported import AudioToolbox
