import { toIanaZone } from '../../../../contract/time-zones.ts'
import type { Reader } from '../../../store/downloads/marks.ts'
import type { WatermarkLook } from '../../../store/workspaces/watermarks.ts'
import { canBeWritten } from './outline.ts'
import { plainLine, plainLines } from './plain-text.ts'

const MAX_CUSTOM_LINES = 8
const STREWN_CHARACTERS = 26

export interface MarkLines {
  /** Lines that the team wrote. */
  custom: string[]
  /** Lines that say who, when and from where. */
  facts: string[]
}

/** Returns the lines of one placement, at least one. Adds the e-mail if the name does not identify the reader. */
export function markLines(look: WatermarkLook, reader: Reader): MarkLines {
  const custom = plainLines(look.custom_text, MAX_CUSTOM_LINES)
  const name = plainLine(`${reader.first_name} ${reader.last_name}`)
  const needsEmail = look.display_user_name && !tellsWho(name, reader)
  const facts = [
    ...(look.display_time ? [timeLine(reader)] : []),
    ...(look.display_user_name ? [name] : []),
    ...(look.display_ip_address ? [plainLine(reader.ip)] : []),
    ...(look.display_user_email || needsEmail ? [emailLine(reader)] : []),
    ...(look.display_workspace_name ? [plainLine(reader.workspace_name)] : []),
  ].filter((line) => line !== '')
  return custom.length + facts.length > 0 ? { custom, facts } : { custom, facts: [emailLine(reader)] }
}

/** Returns the lines that are strewn over the page: the facts of all placements, each once, a few per line. */
export function strewnLines(all: readonly MarkLines[]): string[] {
  const facts = [...new Set(all.flatMap((lines) => lines.facts))]
  const lines: string[] = []
  for (const fact of facts.length > 0 ? facts : all.flatMap(({ custom }) => custom).slice(0, 2)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + fact.length < STREWN_CHARACTERS)
      lines[lines.length - 1] = `${last} · ${fact}`
    else lines.push(fact)
  }
  return lines
}

/** Formats the time to the minute, in the reader's zone: "2026-03-03 10:15 +01:00". */
export function timeLine({ at, time_zone }: Pick<Reader, 'at' | 'time_zone'>): string {
  const timeZone = toIanaZone(time_zone)
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: isZone(timeZone) ? timeZone : 'UTC',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  })
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const offset = (part['timeZoneName'] ?? '').replace('GMT', '') || '+00:00'
  return `${part['year']}-${part['month']}-${part['day']} ${part['hour']}:${part['minute']} ${offset}`
}

function isZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const emailLine = ({ email }: Reader): string => plainLine(email, 254)

/**
 * Whether a name identifies the reader. It needs two letters or digits (one in a script without case), must be drawable
 * as written without hidden characters, and must not be an address, which might belong to another person.
 */
function tellsWho(name: string, { first_name, last_name }: Reader): boolean {
  const written = `${first_name} ${last_name}`.normalize('NFC').replace(/\s+/gu, ' ').trim()
  return (
    name === written && !/[@＠﹫]/u.test(name) && /[\p{L}\p{N}].*[\p{L}\p{N}]|\p{Lo}/u.test(name) && canBeWritten(name)
  )
}
