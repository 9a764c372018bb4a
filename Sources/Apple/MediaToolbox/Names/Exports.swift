// The module of Apple's taps of sound, for programs that import it beside AVFoundation. It has what it brings: Core Media.

@_exported import CoreMedia
