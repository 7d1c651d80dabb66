const MIB = 1024 ** 2

/** The heap of LibreOffice, in which the document lies too. */
export const ENGINE_MEMORY = { initialBytes: 1024 * MIB, maxBytes: 2048 * MIB }
/** Of the process, including the program and its fonts. */
export const ENGINE_RESIDENT_BYTES = 3072 * MIB
/** A document lies in memory several times while it is converted. */
export const ENGINE_MAX_SOURCE_BYTES = 128 * MIB
