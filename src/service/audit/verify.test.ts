import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { canonical, GENESIS, hashOf, type Owner, statementOf } from './chain.ts'
import { digestOf, sealEntry, type Shown } from './personal.ts'
import { createSigner, type Signer } from './signer.ts'
import { Tampering, verifyTrail } from './verify.ts'

type Line = Reply<Api['audit']['export']>[number]
type Entry = Extract<Line, { type: 'record' }>['entry']

const signer = createSigner(randomBytes(32))
const signed_at = '2026-11-21T08:00:00.000Z'

const entryOf = (seq: number): Entry => ({
  at: signed_at,
  user_id: 7,
  user_name: 'Zoë "Ü" Tester',
  user_email: 'zoe@example.com',
  personal_key_id: null,
  ip: '192.0.2.1',
  request_id: null,
  verb: 'renamed',
  message: `renamed file ${seq}\n\u001b[31m\u2028`,
  subject_type: 'Asset',
  subject_id: seq,
  changes: { title: { before: 'a', after: ['b', { c: null }] } },
  refusal: null,
})

/** An export of `count` records with a checkpoint after the third, signed by `by`. */
function exportOf(count: number, by: Signer = signer, entry = entryOf): string[] {
  const workspace_id = 3
  const lines: Line[] = [{ type: 'trail', format: 'strongroom-audit/1', workspace_id, public_key: by.publicKey }]
  let hash = GENESIS
  const mark = (type: 'checkpoint' | 'head', seq: number): Line => {
    const signature = by.sign(statementOf(type, { workspace_id, seq, hash, signed_at }))
    return { type, seq, hash, signed_at, signature }
  }
  for (let seq = 1; seq <= count; seq++) {
    hash = hashOf({ workspace_id, seq, previous: hash, entry: entry(seq) })
    lines.push({ type: 'record', seq, hash, entry: entry(seq) })
    if (seq === 3) lines.push(mark('checkpoint', seq))
  }
  return [...lines, mark('head', count)].map(canonical)
}

/** Records 1, 2, 3, the checkpoint, 4, 5, 6, the head. */
const lines = exportOf(6)
const LINE_OF_RECORD = [0, 1, 2, 3, 5, 6, 7]
const lineOf = (seq: number) => LINE_OF_RECORD[seq] ?? 0

/** The number of the first bad record, or the error message if no record is at fault. */
async function firstBad(tampered: string[]): Promise<number | string | undefined> {
  try {
    await verifyTrail(tampered)
    return 'nothing'
  } catch (error) {
    if (error instanceof Tampering) return error.seq ?? error.message
    throw error
  }
}

describe('an export', () => {
  it('verifies unchanged', async () => {
    const trail = await verifyTrail(lines)
    expect(trail.public_key).toBe(signer.publicKey)
    expect(trail.head).toMatchObject({ workspace_id: 3, seq: 6, signed_at })
    expect(await firstBad(exportOf(0))).toBe('nothing')
  })

  it('has one line for each entry, whatever the entry contains', () => {
    for (const line of lines) {
      expect(line).not.toContain('\n')
      expect(line).not.toContain('\u001b')
    }
  })

  it('I1: reveals a changed character anywhere, and its place', async () => {
    for (const [at, line] of lines.entries()) {
      const owner = at === 0 ? undefined : Math.max(1, LINE_OF_RECORD.filter((each) => each > 0 && each <= at).length)
      for (let char = 0; char < line.length; char += 1) {
        const flipped = String.fromCharCode(line.charCodeAt(char) ^ 1)
        const bad = await firstBad(lines.with(at, line.slice(0, char) + flipped + line.slice(char + 1)))
        if (owner === undefined) expect(bad).not.toBe('nothing')
        else expect([owner, owner + 1], `line ${at}, character ${char}`).toContain(bad)
      }
    }
  })

  it.each([1, 2, 3, 4, 5, 6])('I1: names record %i when it is dropped', async (seq) => {
    expect(await firstBad(lines.toSpliced(lineOf(seq), 1))).toBe(seq)
  })

  it.each([1, 2, 4, 5])('I1: names record %i when it is swapped with the next', async (seq) => {
    const [one = '', other = ''] = lines.slice(lineOf(seq), lineOf(seq) + 2)
    expect(await firstBad(lines.toSpliced(lineOf(seq), 2, other, one))).toBe(seq)
  })

  it.each([1, 2, 4, 5])('I1: names the position after record %i when that record is duplicated', async (seq) => {
    expect(await firstBad(lines.toSpliced(lineOf(seq), 0, lines[lineOf(seq)] ?? ''))).toBe(seq + 1)
  })

  it.each([1, 2, 3, 4, 5, 6])(
    'I1: names the first missing record when %i lines at the end are cut off',
    async (cut) => {
      const left = lines.slice(0, -cut)
      const records = left.filter((line) => line.includes('"type":"record"')).length
      expect(await firstBad(left)).toBe(records + 1)
    },
  )

  it('I1: names the first missing record when records at the end are cut out before the head', async () => {
    expect(await firstBad(lines.toSpliced(lineOf(5), 2))).toBe(5)
  })

  it('I1: rejects a checkpoint in place of the head', async () => {
    const checkpoint = lines[4]?.replace('"type":"checkpoint"', '"type":"head"') ?? ''
    expect(await firstBad([...lines.slice(0, 4), checkpoint])).toBe(3)
  })

  it('I1: reveals records that were rewritten and rechained without the key', async () => {
    const forged = exportOf(6, createSigner(randomBytes(32)), (seq) => ({ ...entryOf(seq), user_id: 8 }))
    const head = lines.at(-1) ?? ''
    expect(await firstBad([lines[0] ?? '', ...forged.slice(1, 4), ...forged.slice(5, 8), head])).toBe(6)
    await expect(verifyTrail(forged, await verifyTrail(lines))).rejects.toThrow('The key is not the one')
  })

  it('reveals a record behind the head', async () => {
    expect(await firstBad([...lines, lines[lineOf(6)] ?? ''])).toBe(7)
  })

  it('is rejected if it is empty or lacks its first line', async () => {
    expect(await firstBad([])).toBe('There is no trail here.')
    expect(await firstBad(lines.slice(1))).toBe('The first line is not the beginning of a trail.')
  })
})

describe('compared with an earlier export', () => {
  it('a later export may only add records', async () => {
    const earlier = await verifyTrail(exportOf(4))
    await expect(verifyTrail(lines, earlier)).resolves.toMatchObject({ head: { seq: 6 } })
  })

  it('I2: a rolled-back export is revealed', async () => {
    await expect(verifyTrail(exportOf(4), await verifyTrail(lines))).rejects.toMatchObject({ seq: 5 })
  })

  it('I2: an export rewritten with the key is revealed', async () => {
    const rewritten = exportOf(6, signer, (seq) => ({ ...entryOf(seq), user_id: 8 }))
    expect(await firstBad(rewritten)).toBe('nothing')
    await expect(verifyTrail(rewritten, await verifyTrail(exportOf(4)))).rejects.toMatchObject({ seq: 4 })
  })
})

describe('an export in the second format', () => {
  const of = 7
  const erased = { user_name: 'erased', user_email: 'erased', ip: 'erased' }
  const salt = 'a'.repeat(64)
  const { user_name, user_email, ip } = entryOf(1)
  const digest = digestOf(salt, { user_name, user_email, ip })

  /** Record 1 shows its user, record 2 has the same user erased, record 3 is of the first format. */
  function exportOfPersons(owner: Owner = { organization_id: 3 }): string[] {
    const shown: { entry: Entry; personal?: Shown[] }[] = [
      { entry: entryOf(1), personal: [{ of, erased, salt }] },
      { entry: { ...entryOf(2), ...erased }, personal: [{ of, erased, digest }] },
      { entry: entryOf(3) },
    ]
    let hash = GENESIS
    const records = shown.map(({ entry, personal }, at): Line => {
      const hashed = personal ? sealEntry(entry, personal) : entry
      hash = hashOf({ ...owner, seq: at + 1, previous: hash, entry: hashed })
      return { type: 'record', seq: at + 1, hash, entry, ...(personal && { personal }) }
    })
    const signature = signer.sign(statementOf('head', { ...owner, seq: 3, hash, signed_at }))
    const trail: Line = { type: 'trail', format: 'strongroom-audit/2', ...owner, public_key: signer.publicKey }
    return [trail, ...records, { type: 'head', seq: 3, hash, signed_at, signature } as Line].map(canonical)
  }

  const sealed = exportOfPersons()

  it('verifies with users shown, users erased and records of the first format', async () => {
    expect(await verifyTrail(sealed)).toMatchObject({ head: { organization_id: 3, seq: 3 } })
    expect(await firstBad(exportOfPersons({ workspace_id: 3 }))).toBe('nothing')
  })

  it('reveals a changed character anywhere, and its place', async () => {
    for (const [at, line] of sealed.entries()) {
      for (let char = 0; char < line.length; char += 1) {
        const flipped = String.fromCharCode(line.charCodeAt(char) ^ 1)
        const bad = await firstBad(sealed.with(at, line.slice(0, char) + flipped + line.slice(char + 1)))
        if (at === 0) expect(bad).not.toBe('nothing')
        else expect([at, at - 1], `line ${at}, character ${char}`).toContain(bad)
      }
    }
  })

  it('permits the later erasure of a user and no other change', async () => {
    const erasedLater = (sealed[1] ?? '').replace(`"salt":"${salt}"`, `"digest":"${digest}"`)
    expect(await firstBad(sealed.with(1, erasedLater))).toBe(1)
    const { entry, ...record } = JSON.parse(sealed[1] ?? '') as { entry: Entry }
    const line = canonical({ ...record, entry: { ...entry, ...erased }, personal: [{ of, erased, digest }] })
    expect(await firstBad(sealed.with(1, line))).toBe('nothing')
    expect(await firstBad(sealed.with(1, line.replace('renamed file 1', 'renamed file 9')))).toBe(1)
    expect(await firstBad(sealed.with(1, line.replace(digest, 'b'.repeat(64))))).toBe(1)
  })

  it('belongs to one owner, a workspace or an organization', async () => {
    const { organization_id: id, ...rest } = JSON.parse(sealed[0] ?? '') as { organization_id: number }
    expect(await firstBad(sealed.with(0, canonical({ ...rest, workspace_id: id })))).toBe(1)
    const none = 'The first line is not the beginning of a trail.'
    expect(await firstBad(sealed.with(0, canonical(rest)))).toBe(none)
    expect(await firstBad(sealed.with(0, canonical({ ...rest, workspace_id: id, organization_id: id })))).toBe(none)
    const earlier = await verifyTrail(exportOfPersons({ workspace_id: 3 }))
    await expect(verifyTrail(sealed, earlier)).rejects.toThrow('The earlier export is another trail.')
  })
})

describe('compared with a head that was kept', () => {
  const headOf = (count: number) => JSON.parse(exportOf(count).at(-1) ?? '') as Extract<Line, { type: 'head' }>
  const known = (count: number) => ({ head: headOf(count), signed: headOf(count) })

  it('a later export may only add records', async () => {
    await expect(verifyTrail(lines, known(4))).resolves.toMatchObject({ head: { seq: 6 } })
    await expect(verifyTrail(lines, known(0))).resolves.toMatchObject({ head: { seq: 6 } })
    const { seq, hash } = headOf(4)
    await expect(verifyTrail(lines, { head: { seq, hash } })).resolves.toMatchObject({ head: { seq: 6 } })
  })

  it('I2: a rolled-back or rewritten export is revealed', async () => {
    await expect(verifyTrail(exportOf(4), known(6))).rejects.toMatchObject({ seq: 5 })
    const rewritten = exportOf(6, signer, (seq) => ({ ...entryOf(seq), user_id: 8 }))
    await expect(verifyTrail(rewritten, known(4))).rejects.toMatchObject({ seq: 4 })
  })

  it('a head that this key did not sign for this trail is rejected', async () => {
    const { head } = known(4)
    const other = { head, signed: { ...head, signed_at: '2026-11-22T08:00:00.000Z' } }
    await expect(verifyTrail(lines, other)).rejects.toThrow(
      'The earlier head was not signed by this key for this trail.',
    )
  })
})
