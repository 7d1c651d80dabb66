import * as z from 'zod/mini'
import { auditLine } from '../../contract/audit.ts'
import { canonical, GENESIS, hashOf, type Mark, statementOf } from './chain.ts'
import { isSigned } from './signer.ts'

/** What an export proves: every record up to `head` is as it was written. */
export interface Trail {
  public_key: string
  head: Mark
}

/** The first thing that is not as it was written. */
export class Tampering extends Error {
  /** Number of the record; undefined where no record is at fault. */
  readonly seq: number | undefined

  constructor(reason: string, seq?: number) {
    super(seq === undefined ? reason : `Record ${seq}: ${reason}`)
    this.seq = seq
  }
}

type Line = z.output<typeof auditLine>
type LineOf<T extends Line['type']> = Extract<Line, { type: T }>

interface State {
  trail: LineOf<'trail'>
  seq: number
  hash: string
  head?: LineOf<'head'>
}

/**
 * Reads an export from its first line to its signed head.
 * @param earlier of an older export of the same workspace: its head must be part of this one
 * @throws Tampering at the first bad record
 */
export async function verifyTrail(lines: AsyncIterable<string> | Iterable<string>, earlier?: Trail): Promise<Trail> {
  let state: State | undefined
  for await (const text of lines) {
    state = state ? next(state, read(text, state.seq + 1)) : begin(read(text), earlier)
    compare(state, earlier)
  }
  if (!state) throw new Tampering('There is no trail here.')
  if (!state.head)
    throw new Tampering('is the first that is missing: the end of the export was cut off.', state.seq + 1)
  const { workspace_id } = state.trail
  if (earlier && earlier.head.seq > state.seq) {
    throw new Tampering('was in the earlier export and is missing now.', state.seq + 1)
  }
  const { seq, hash, signed_at } = state.head
  return { public_key: state.trail.public_key, head: { workspace_id, seq, hash, signed_at } }
}

function begin(line: Line, earlier: Trail | undefined): State {
  if (line.type !== 'trail') throw new Tampering('The first line is not the beginning of a trail.')
  if (earlier && earlier.public_key !== line.public_key) {
    throw new Tampering('The key is not the one of the earlier export.')
  }
  if (earlier && earlier.head.workspace_id !== line.workspace_id) {
    throw new Tampering('The earlier export is of another workspace.')
  }
  return { trail: line, seq: 0, hash: GENESIS }
}

function next(state: State, line: Line): State {
  if (state.head) throw new Tampering('There is something behind the signed head.', state.seq + 1)
  if (line.type === 'record') return follow(state, line)
  if (line.type === 'trail') throw new Tampering('there is a second beginning.', state.seq + 1)
  checkMark(state, line)
  return line.type === 'head' ? { ...state, head: line } : state
}

function follow({ trail, seq: last, hash: previous }: State, record: LineOf<'record'>): State {
  const seq = last + 1
  if (record.seq !== seq) throw new Tampering(`is not where it belongs; there is record ${record.seq}.`, seq)
  const hash = hashOf({ workspace_id: trail.workspace_id, seq, previous, entry: record.entry })
  if (record.hash !== hash) throw new Tampering('is not as it was written.', seq)
  return { trail, seq, hash }
}

function checkMark({ trail, seq, hash }: State, mark: LineOf<'checkpoint' | 'head'>): void {
  if (mark.seq > seq) throw new Tampering(`is missing; the signed ${mark.type} counts ${mark.seq}.`, seq + 1)
  if (mark.seq < seq) throw new Tampering(`is more than the signed ${mark.type} counts.`, mark.seq + 1)
  if (mark.hash !== hash) throw new Tampering(`it or a record before it is not what the ${mark.type} was made of.`, seq)
  const statement = statementOf(mark.type, { ...mark, workspace_id: trail.workspace_id })
  if (!isSigned(trail.public_key, statement, mark.signature)) {
    throw new Tampering(`the signature of the ${mark.type} behind it is wrong.`, seq)
  }
}

function compare({ seq, hash }: State, earlier: Trail | undefined): void {
  if (earlier?.head.seq === seq && earlier.head.hash !== hash) {
    throw new Tampering('it or a record before it is not what it was in the earlier export.', seq)
  }
}

/** A line is written in one way only, so that every changed byte shows. */
function read(text: string, seq?: number): Line {
  const parsed = z.safeParse(auditLine, parseJson(text))
  if (!parsed.success || canonical(parsed.data) !== text) throw new Tampering('This is not as it was written.', seq)
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
