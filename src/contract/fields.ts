import * as z from 'zod/mini'
import { saying } from './field-rules.ts'
import { INT32_MAX, readId } from './read-id.ts'
import { CONTROLS, hasControls, PILE_OF_MARKS } from './texts/characters.ts'
import { toIanaZone } from './time-zones.ts'

/** An identifier: int32, not negative; 0 always means the root folder. */
export const id = () => z.int().check(z.minimum(0), z.maximum(INT32_MAX))

/** A 1-based place among siblings. */
export const position = () => z.int().check(z.minimum(1), z.maximum(INT32_MAX))

const pageNumber = () => z.int().check(z.minimum(1), z.maximum(INT32_MAX))
const pageSize = () => z.union([z.literal(25), z.literal(50), z.literal(75), z.literal(100)])

export const page = () => z._default(pageNumber(), 1)

/** Rows per page: 25, 50, 75 or 100 (API description, Limits). */
export const perPage = (fallback: 25 | 50 | 75 | 100) => z._default(pageSize(), fallback)

/** What page of how many rows a reply has. */
export const pagination = () =>
  z.object({ total_items: z.int(), total_pages: z.int(), page: z.int(), per_page: z.int() })

/** For optional paging: an absent value gets no default. */
export const optionalPage = () => z.optional(pageNumber())
export const optionalPerPage = () => z.optional(pageSize())

/** Calendar date `YYYY-MM-DD` in UTC. There is no year 0. */
export const date = () => z.iso.date().check(z.refine((text) => !text.startsWith('0000'), saying('date')))

/** ISO 8601, UTC, milliseconds, `Z`. */
export const timestamp = () => z.string()

/**
 * Characters without a visible shape. Exceptions: the joiners that Persian and Indic names need, and a variation
 * selector after its base character, which Chinese, Japanese and Mongolian names need.
 */
const UNSEEN =
  /(?![\u200c\u200d])(?!(?<=[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800])\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Word processors leave soft hyphens in copied text. */
const SOFT_HYPHENS = /\u00ad/g

export const mailedCode = () => z.string().check(z.trim(), z.regex(/^\d{6}$/, saying('six_digits')))

const tooLong = (max: number) => saying('max_characters', { limit: max })
const atMost = (max: number) => z.maxLength(max, tooLong(max))

/** Leaves room for spaces to trim and letters that normalization composes; Hangul syllables have three parts. */
const UNITS_PER_CHARACTER = 4

/** Checks that run before any work that grows faster than the text. */
const boundsFor = (max: number) =>
  [
    z.refine<string>((text) => text.length <= UNITS_PER_CHARACTER * max, { error: tooLong(max), abort: true }),
    z.refine<string>((text) => !PILE_OF_MARKS.test(text), {
      error: saying('max_marks_in_a_row'),
      abort: true,
    }),
  ] as const

const plain = (max: number, text = z.string()) =>
  text.check(
    ...boundsFor(max),
    z.trim(),
    z.normalize('NFC'),
    atMost(max),
    z.refine((text) => !CONTROLS.test(text), saying('no_control_characters')),
  )

export const line = (max = 255) => plain(max)

/**
 * A person's name, which may be empty. Names appear in mails, marks and the record, so a name must not look like an
 * address and must not contain invisible characters.
 */
export const personName = () =>
  plain(255, z.string().check(z.overwrite((text) => text.replace(SOFT_HYPHENS, '')))).check(
    z.refine((text) => !/[@\uff20\ufe6b]|:\/\//u.test(text), saying('not_an_address')),
    z.refine((text) => !UNSEEN.test(text), saying('no_invisible_characters')),
  )

/** Name of an organization as a sender of mails: the rules of a person's name, and not empty. */
export const organizationName = () =>
  personName().check(z.minLength(1, saying('not_empty')), z.maxLength(100, tooLong(100)))

export const paragraph = (max = 5000) =>
  z.string().check(
    ...boundsFor(max),
    z.trim(),
    z.normalize('NFC'),
    atMost(max),
    z.refine((text) => !hasControls(text), saying('no_control_characters')),
  )

/** Words of an inviter in the mail, as plain text. */
export const invitingWords = () => z.optional(paragraph(2000))

/** Name of a team, workspace or group: 1-255 characters. */
export const label = () => plain(255).check(z.minLength(1, saying('not_empty')))

/** Name of a folder or file (decisions, section 6): 1-255 characters, no `/`, not `.` or `..`, stored NFC. */
export const fileName = () =>
  label().check(
    z.refine((text) => !text.includes('/'), saying('no_slash')),
    z.refine((text) => text !== '.' && text !== '..', saying('not_only_dots')),
  )

export const email = () => z.string().check(...boundsFor(254), z.trim(), z.maxLength(254, { abort: true }), z.email())

export const sha256Hex = () => z.string().check(z.regex(/^[0-9a-fA-F]{64}$/, saying('sha256')))

const MAX_TIME_ZONE = 64

/** An IANA time zone, such as `Europe/Lisbon`, or a Rails name, such as `Pacific Time (US & Canada)`. */
export const timeZone = () =>
  z.stringFormat('time-zone', isTimeZone, saying('time_zone')).check(z.maxLength(MAX_TIME_ZONE))

/** Absent for UTC. */
export const timeZoneOfDays = () => z.optional(z.pipe(timeZone(), z.transform(toIanaZone)))

function isTimeZone(text: string): boolean {
  try {
    return text.length <= MAX_TIME_ZONE && Boolean(Intl.DateTimeFormat('en', { timeZone: toIanaZone(text) }))
  } catch {
    return false
  }
}

/** Ids of a folder and the folders above it, such as `3.17.40`: the `next` of a page of the permission sheet. */
export const idPath = () => z.stringFormat('id-path', isIdPath, saying('id_path'))

const MAX_LEVELS = 1000
const ID_PATH = /^\d{1,10}(?:\.\d{1,10})*$/

export function isIdPath(text: string): boolean {
  if (text.length > MAX_LEVELS * 11 || !ID_PATH.test(text)) return false
  const ids = text.split('.')
  return ids.length <= MAX_LEVELS && ids.every((each) => readId(each) !== undefined)
}
