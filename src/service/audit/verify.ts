import * as z from 'zod/mini'
import { auditLine } from '../../contract/endpoints/audit.ts'
import { canonical, GENESIS, hashOf, type Mark, type Owner, statementOf } from './chain.ts'
import { isErased, sealEntry, type Shown } from './personal.ts'
import { isSigned } from './signer.ts'

/** The result of a verified export: every record up to `head` is as it was written. */
export interface Trail {
  public_key: string
  head: Mark
}

/** Facts about a trail from before: its head at that time and, if known, its owner and its key. */
export interface Known {
  public_key?: string
  head: { seq: number; hash: string; workspace_id?: number; organization_id?: number }
  /** The signature of a head that was kept without its export. */
  signed?: { signed_at: string; signature: string }
}

/** The first deviation from what was written. */
export class Tampering extends Error {
  /** Number of the record; undefined if no record is at fault. */
  readonly seq: number | undefined

  constructor(reason: string, seq?: number) {
    super(seq === undefined ? reason : `Record ${seq}: ${reason}`)
    this.seq = seq
  }
}

type Line = z.output<typeof auditLine>
type LineOf<T extends Line['type']> = Extract<Line, { type: T }>

interface State {
  owner: Owner
  public_key: string
  seq: number
  hash: string
  head?: LineOf<'head'>
}

/**
 * Verifies an export from its first line to its signed head.
 * @param earlier an older export of the same trail, or a head from one, which must be part of this export
 * @throws Tampering at the first bad record
 */
export async function verifyTrail(lines: AsyncIterable<string> | Iterable<string>, earlier?: Known): Promise<Trail> {
  let state: State | undefined
  for await (const text of lines) {
    state = state ? next(state, read(text, state.seq + 1)) : begin(read(text), earlier)
    compare(state, earlier)
  }
  if (!state) throw new Tampering('There is no trail here.')
  if (!state.head)
    throw new Tampering('is the first that is missing: the end of the export was cut off.', state.seq + 1)
  if (earlier && earlier.head.seq > state.seq) {
    throw new Tampering('was in the earlier export and is missing now.', state.seq + 1)
  }
  const { seq, hash, signed_at } = state.head
  return { public_key: state.public_key, head: { ...state.owner, seq, hash, signed_at } }
}

function begin(line: Line, earlier: Known | undefined): State {
  const owner = line.type === 'trail' ? ownerNamed(line) : undefined
  if (line.type !== 'trail' || !owner) throw new Tampering('The first line is not the beginning of a trail.')
  if (earlier) checkOrigin(line.public_key, owner, earlier)
  return { owner, public_key: line.public_key, seq: 0, hash: GENESIS }
}

/** Exactly one of the two ids must be present. */
function ownerNamed({ workspace_id, organization_id }: LineOf<'trail'>): Owner | undefined {
  if (workspace_id !== undefined) return organization_id === undefined ? { workspace_id } : undefined
  return organization_id === undefined ? undefined : { organization_id }
}

function checkOrigin(publicKey: string, owner: Owner, { public_key, head, signed }: Known): void {
  if (public_key !== undefined && public_key !== publicKey) {
    throw new Tampering('The key is not the one of the earlier export.')
  }
  const { workspace_id, organization_id } = head
  const isNamed = workspace_id !== undefined || organization_id !== undefined
  if (isNamed && canonical({ workspace_id, organization_id }) !== canonical(owner)) {
    throw new Tampering('The earlier export is another trail.')
  }
  const { seq, hash } = head
  if (signed && !isSigned(publicKey, statementOf('head', { ...owner, seq, hash, ...signed }), signed.signature)) {
    throw new Tampering('The earlier head was not signed by this key for this trail.')
  }
}

function next(state: State, line: Line): State {
  if (state.head) throw new Tampering('There is something behind the signed head.', state.seq + 1)
  if (line.type === 'record') return follow(state, line)
  if (line.type === 'trail') throw new Tampering('there is a second beginning.', state.seq + 1)
  checkMark(state, line)
  return line.type === 'head' ? { ...state, head: line } : state
}

function follow(state: State, record: LineOf<'record'>): State {
  const { owner, hash: previous } = state
  const seq = state.seq + 1
  if (record.seq !== seq) throw new Tampering(`is not where it belongs; there is record ${record.seq}.`, seq)
  const hash = hashOf({ ...owner, seq, previous, entry: hashedEntry(record, seq) })
  if (record.hash !== hash) throw new Tampering('is not as it was written.', seq)
  return { ...state, seq, hash }
}

/** Returns the entry as it was hashed: with digests in place of personal data. */
function hashedEntry({ entry, personal }: LineOf<'record'>, seq: number): unknown {
  if (!personal) return entry
  for (const each of personal) {
    if ((each.salt === undefined) === (each.digest === undefined)) throw new Tampering('is not as it was written.', seq)
    if (each.digest !== undefined && !isErased(entry, each)) {
      throw new Tampering('shows something where a person was erased.', seq)
    }
  }
  return sealEntry(entry, personal as Shown[])
}

function checkMark({ owner, public_key, seq, hash }: State, mark: LineOf<'checkpoint' | 'head'>): void {
  if (mark.seq > seq) throw new Tampering(`is missing; the signed ${mark.type} counts ${mark.seq}.`, seq + 1)
  if (mark.seq < seq) throw new Tampering(`is more than the signed ${mark.type} counts.`, mark.seq + 1)
  if (mark.hash !== hash) throw new Tampering(`it or a record before it is not what the ${mark.type} was made of.`, seq)
  const statement = statementOf(mark.type, { ...mark, ...owner })
  if (!isSigned(public_key, statement, mark.signature)) {
    throw new Tampering(`the signature of the ${mark.type} behind it is wrong.`, seq)
  }
}

function compare({ seq, hash }: State, earlier: Known | undefined): void {
  if (earlier?.head.seq === seq && earlier.head.hash !== hash) {
    throw new Tampering('it or a record before it is not what it was in the earlier export.', seq)
  }
}

/** A line has only one valid form, so that every changed byte shows. */
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
