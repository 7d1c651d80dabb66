import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonical, GENESIS, hashOf, statementOf } from '../service/audit/chain.ts'
import { createSigner } from '../service/audit/signer.ts'

const run = promisify(execFile)
const TOOL = fileURLToPath(new URL('audit-verify.ts', import.meta.url))

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'strongroom-audit-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const signer = createSigner(Buffer.alloc(32, 7))
const workspace_id = 3
const signed_at = '2026-11-21T08:00:00.000Z'

function exportOf(count: number): string {
  const lines: unknown[] = [{ type: 'trail', format: 'strongroom-audit/1', workspace_id, public_key: signer.publicKey }]
  let hash = GENESIS
  for (let seq = 1; seq <= count; seq++) {
    const who = { user_id: 7, user_name: 'Zoë', user_email: 'zoe@example.com', personal_key_id: null, ip: '192.0.2.1' }
    const what = { verb: 'viewed', message: `viewed ${seq}`, subject_type: null, subject_id: null }
    const entry = { at: signed_at, ...who, request_id: null, ...what, changes: null, refusal: null }
    hash = hashOf({ workspace_id, seq, previous: hash, entry })
    lines.push({ type: 'record', seq, hash, entry })
  }
  const mark = { workspace_id, seq: count, hash, signed_at }
  const signature = signer.sign(statementOf('head', mark))
  lines.push({ type: 'head', seq: count, hash, signed_at, signature })
  return lines.map((line) => `${canonical(line)}\n`).join('')
}

async function verify(...contents: (string | Buffer)[]): Promise<{ code: number; said: string }> {
  const paths = contents.map((_, at) => join(folder, `${at}.jsonl`))
  await Promise.all(contents.map((content, at) => writeFile(paths[at] ?? '', content)))
  return verifyArguments(paths)
}

function verifyArguments(given: string[]): Promise<{ code: number; said: string }> {
  return run(process.execPath, [TOOL, ...given]).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  )
}

test('an unchanged export is confirmed', async () => {
  const { code, said } = await verify(exportOf(5))
  expect(said).toContain('5 records of workspace 3, as they were written.')
  expect(code).toBe(0)
})

test('I1: a flipped byte is detected and its record is named', async () => {
  const bytes = Buffer.from(exportOf(5))
  const at = bytes.indexOf('viewed 4')
  bytes[at] = (bytes[at] ?? 0) ^ 0x80
  expect(await verify(bytes)).toMatchObject({ code: 1, said: expect.stringContaining('Record 4') as string })
  const text = exportOf(5).replace('viewed 4', 'viewed 5')
  expect(await verify(text)).toEqual({ code: 1, said: 'Record 4: is not as it was written.\n' })
})

test('a truncated export is detected, wherever it was cut', async () => {
  const whole = exportOf(3)
  const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1
  expect(await verify(whole.slice(0, lastLine))).toMatchObject({ code: 1 })
  expect(await verify(whole.slice(0, -20))).toMatchObject({ code: 1 })
  expect(await verify('')).toEqual({ code: 1, said: 'There is no trail here.\n' })
})

test('I2: an export rolled back past an earlier export is detected', async () => {
  expect(await verify(exportOf(5), exportOf(3))).toMatchObject({ code: 0 })
  expect(await verify(exportOf(3), exportOf(5))).toEqual({
    code: 1,
    said: 'Record 4: was in the earlier export and is missing now.\n',
  })
})

test('I2: a saved head reveals a rollback, given as a file or as number and hash', async () => {
  const lineOf = (count: number) => `${exportOf(count).trimEnd().split('\n').at(-1) ?? ''}\n`
  const numberAndHash = (count: number) => {
    const { seq, hash } = JSON.parse(lineOf(count)) as { seq: number; hash: string }
    return `${seq}:${hash}`
  }
  const head = join(folder, 'head.json')
  const withHead = async (content: string, given: string) => {
    const path = join(folder, 'export.jsonl')
    await writeFile(path, content)
    return verifyArguments([path, '--head', given])
  }
  const missing = { code: 1, said: 'Record 4: was in the earlier export and is missing now.\n' }

  await writeFile(head, lineOf(3))
  expect(await withHead(exportOf(5), head)).toMatchObject({ code: 0 })
  expect(await withHead(exportOf(5), numberAndHash(3))).toMatchObject({ code: 0 })
  await writeFile(head, lineOf(5))
  expect(await withHead(exportOf(3), head)).toEqual(missing)
  expect(await withHead(exportOf(3), numberAndHash(5))).toEqual(missing)
  await writeFile(head, exportOf(5))
  expect(await withHead(exportOf(3), head)).toEqual(missing)
  await writeFile(head, exportOf(5).split('\n')[1] ?? '')
  expect(await withHead(exportOf(5), head)).toEqual({
    code: 1,
    said: 'There is no signed head in the file of the head.\n',
  })
  expect(await withHead(exportOf(5), `3:${'0'.repeat(64)}`)).toMatchObject({
    code: 1,
    said: expect.stringContaining('Record 3') as string,
  })
})

test('without a file it prints its usage', async () => {
  expect(await verify()).toEqual({
    code: 2,
    said: 'npm run audit:verify -- export.jsonl [earlier.jsonl] [--head <file|seq:hash>]\n',
  })
})
