//! Sessions of somebody who types, recorded without the words.
