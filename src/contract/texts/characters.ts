// What texts may consist of. Without schemas, so that forms can judge a text too.

/** Control characters, including NUL, Unicode controls that reorder or hide text, and lone surrogates. */
export const CONTROLS = /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u

/** Whether a text of several lines has any. */
export const hasControls = (text: string): boolean => CONTROLS.test(text.replace(/[\n\r\t]/g, ''))

/** The limit of Unicode's stream-safe text format (UAX 15): normalization sorts a run of marks in quadratic time. */
export const PILE_OF_MARKS = /(?<!\p{M})\p{M}{31}/u
