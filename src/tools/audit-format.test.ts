import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonical, GENESIS, hashOf, statementOf } from '../service/audit/chain.ts'
import { digestOf, sealEntry, type Shown } from '../service/audit/personal.ts'
import { createSigner } from '../service/audit/signer.ts'

// Runs the verifier printed in deploy/audit-format.md on our exports: the page must be enough to write a verifier.

const run = promisify(execFile)
const PAGE = new URL('../../deploy/audit-format.md', import.meta.url)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strongroom-audit-format-'))
  const [, code = ''] = /```js\n(.*?)```/s.exec(await readFile(PAGE, 'utf8')) ?? []
  await writeFile(join(folder, 'verify.mjs'), code)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const owner = { organization_id: 3 }
const signed_at = '2026-11-21T08:00:00.000Z'
const signer = createSigner(Buffer.alloc(32, 7))
const erased = { user_name: 'erased', user_email: 'erased', ip: 'erased' }
const person = { user_name: 'Zoë "Ü" \u2028', user_email: 'zoe@example.com', ip: '192.0.2.1' }
const salt = 'a'.repeat(64)

const entry = {
  at: signed_at,
  user_id: 7,
  ...person,
  personal_key_id: null,
  request_id: null,
  verb: 'renamed',
  message: 'renamed a\n\u001b[31m',
  subject_type: 'Asset',
  subject_id: 5,
  changes: { title: { before: 'a', after: ['b', { z: 1, c: null }] } },
  refusal: null,
}

/** An entry that shows a person, the same entry with the person erased, and a record of the first format. */
const shown: { entry: object; personal?: Shown[] }[] = [
  { entry, personal: [{ of: 7, erased, salt }] },
  { entry: { ...entry, ...erased }, personal: [{ of: 7, erased, digest: digestOf(salt, person) }] },
  { entry },
]

function makeExport(): string[] {
  const lines: unknown[] = [{ type: 'trail', format: 'strongroom-audit/2', ...owner, public_key: signer.publicKey }]
  let hash = GENESIS
  const mark = (type: 'checkpoint' | 'head', seq: number) => {
    const signature = signer.sign(statementOf(type, { ...owner, seq, hash, signed_at }))
    lines.push({ type, seq, hash, signed_at, signature })
  }
  for (const [at, each] of shown.entries()) {
    const hashed = each.personal ? sealEntry(each.entry as Record<string, unknown>, each.personal) : each.entry
    hash = hashOf({ ...owner, seq: at + 1, previous: hash, entry: hashed })
    lines.push({ type: 'record', seq: at + 1, hash, ...each })
    if (at === 0) mark('checkpoint', 1)
  }
  mark('head', shown.length)
  return lines.map(canonical)
}

async function verify(lines: string[], ...known: string[]): Promise<{ code: number; said: string }> {
  const path = join(folder, 'export.jsonl')
  await writeFile(path, lines.map((line) => `${line}\n`).join(''))
  return run(process.execPath, [join(folder, 'verify.mjs'), path, ...known]).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  )
}

test('the documented verifier accepts an unchanged export', async () => {
  expect(await verify(makeExport())).toMatchObject({ code: 0, said: expect.stringContaining('3 records') as string })
})

test('I1: the documented verifier names the first bad record', async () => {
  const lines = makeExport()
  const bad = (seq: number) => ({ code: 1, said: expect.stringContaining(`Record ${seq}:`) as string })
  expect(await verify(lines.with(1, lines[1]?.replace('Zoë', 'Zoe') ?? ''))).toEqual(bad(1))
  expect(
    await verify(
      lines.with(3, lines[3]?.replace('"user_id":7,"user_name":"erased"', '"user_id":7,"user_name":"Eve"') ?? ''),
    ),
  ).toEqual(bad(2))
  expect(await verify(lines.toSpliced(3, 1))).toEqual(bad(2))
  expect(await verify(lines.slice(0, -1))).toEqual(bad(4))
  expect(await verify(lines.toSpliced(4, 1))).toEqual(bad(2))
})

test('the documented verifier finds an earlier head, or reports that it is missing', async () => {
  const { seq, hash } = JSON.parse(makeExport()[1] ?? '') as { seq: number; hash: string }
  expect(await verify(makeExport(), `${seq}:${hash}`)).toMatchObject({ code: 0 })
  expect(await verify(makeExport(), `${seq + 1}:${hash}`)).toMatchObject({ code: 1 })
})
