// An app that imports MediaPlayer sees AVFoundation and Foundation, and the views and pictures.
@_exported import AVFoundation
@_exported import Foundation
@_exported import KeyValueObserving
@_exported import Views
