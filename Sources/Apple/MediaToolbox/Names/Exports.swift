// Apple's module of audio taps, for programs that import it beside AVFoundation. It only exports Core Media.

@_exported import CoreMedia
