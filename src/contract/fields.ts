import * as z from 'zod/mini'
import { toIanaZone } from './time-zones.ts'

const INT32_MAX = 2_147_483_647

/** An identifier: int32, never negative; 0 only ever means the root folder. */
export const id = () => z.int().check(z.minimum(0), z.maximum(INT32_MAX))

/** A 1-based place among siblings. */
export const position = () => z.int().check(z.minimum(1), z.maximum(INT32_MAX))

const pageNumber = () => z.int().check(z.minimum(1), z.maximum(INT32_MAX))
const pageSize = () => z.union([z.literal(25), z.literal(50), z.literal(75), z.literal(100)])

export const page = () => z._default(pageNumber(), 1)

/** Rows a page: 25, 50, 75 or 100 (API description, Limits). */
export const perPage = (fallback: 25 | 50 | 75 | 100) => z._default(pageSize(), fallback)

/** Where paging itself is optional: absent is absent, no default comes in. */
export const optionalPage = () => z.optional(pageNumber())
export const optionalPerPage = () => z.optional(pageSize())

/** Calendar date `YYYY-MM-DD`, meant in UTC. There is no year 0. */
export const date = () => z.iso.date().check(z.refine((text) => !text.startsWith('0000'), 'must be a date'))

/** ISO 8601, UTC, milliseconds, `Z`. */
export const timestamp = () => z.string()

/** Control characters, NUL included, the Unicode controls that reorder or hide text, and halves of characters. */
const CONTROLS = /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u

/** Characters without a shape of their own, but for the joiners that Persian and Indic names are written with. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Six digits, as they are mailed. */
export const mailedCode = () => z.string().check(z.trim(), z.regex(/^\d{6}$/, 'must be six digits'))

const atMost = (max: number) => z.maxLength(max, `must have at most ${max} characters`)

const plain = (max: number) =>
  z.string().check(
    z.trim(),
    z.normalize('NFC'),
    atMost(max),
    z.refine((text) => !CONTROLS.test(text), 'must not contain control characters'),
  )

/** A line of text that may be empty. */
export const line = (max = 255) => plain(max)

/**
 * A person's name, which may be empty. Names stand in mails, marks and the record: a name must not be taken for an address,
 * and what is seen of it is all of it.
 */
export const personName = () =>
  plain(255).check(
    z.refine((text) => !/[@\uff20\ufe6b]|:\/\//u.test(text), 'must not be an address'),
    z.refine((text) => !UNSEEN.test(text), 'must not contain invisible characters'),
  )

/** Several lines of text that may be empty. */
export const paragraph = (max = 5000) =>
  z.string().check(
    z.trim(),
    z.normalize('NFC'),
    atMost(max),
    z.refine((text) => !CONTROLS.test(text.replace(/[\n\r\t]/g, '')), 'must not contain control characters'),
  )

/** What people call a team, workspace or group: 1-255 characters. */
export const label = () => plain(255).check(z.minLength(1, 'must not be empty'))

/** Name of a folder or file (decisions, section 6): 1-255 characters, no `/`, not `.` or `..`, stored NFC. */
export const fileName = () =>
  label().check(
    z.refine((text) => !text.includes('/'), 'must not contain "/"'),
    z.refine((text) => text !== '.' && text !== '..', 'must not be "." or ".."'),
  )

export const email = () => z.string().check(z.trim(), z.maxLength(254), z.email())

/** IANA time zone name, such as `Europe/Lisbon`, or a name of Rails, such as `Pacific Time (US & Canada)`. */
export const timeZone = () =>
  z.stringFormat('time-zone', isTimeZone, 'must be an IANA time zone').check(z.maxLength(64))

function isTimeZone(text: string): boolean {
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone: toIanaZone(text) }))
  } catch {
    return false
  }
}
