// An app that imports MediaPlayer sees Foundation, and the views and pictures.
@_exported import Foundation
@_exported import KeyValueObserving
@_exported import Views
