import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { type Known, Tampering, verifyTrail } from '../service/audit/verify.ts'

// `npm run audit:verify -- export.jsonl [earlier.jsonl] [--head <file|seq:hash>]` checks that the export is unchanged,
// and that it continues the earlier export or a saved head of it. Needs no service. On failure it names the first bad
// record and exits with 1.

const USAGE = 'npm run audit:verify -- export.jsonl [earlier.jsonl] [--head <file|seq:hash>]'
const LINE_END = 0x0a

const headLine = z.object({
  type: z.literal('head'),
  seq: z.int(),
  hash: z.string(),
  signed_at: z.string(),
  signature: z.string(),
})

/** Splits a file at `\n` only: unlike a reader of text for people, it accepts no other line ending. */
async function* linesOf(file: string): AsyncIterable<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let bytes = Buffer.concat([rest, chunk])
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END)) {
      yield textOf(bytes.subarray(0, end))
      bytes = bytes.subarray(end + 1)
    }
    rest = bytes
  }
  if (rest.length > 0) yield textOf(rest)
}

/** Returns "" for bytes that are not UTF-8; an empty line is not a valid line of a trail. */
function textOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : ''
}

/** Reads `seq:hash`, or a file with the last line of an export. @throws Tampering without a signed head in the file */
async function readHead(given: string): Promise<Known> {
  const [, seq, hash] = /^(\d{1,10}):([0-9a-f]{64})$/.exec(given) ?? []
  if (seq !== undefined && hash !== undefined) return { head: { seq: Number(seq), hash } }
  for await (const line of linesOf(given)) {
    const head = z.safeParse(headLine, parseJson(line))
    if (head.success) return { head: head.data, signed: head.data }
  }
  throw new Tampering('There is no signed head in the file of the head.')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Asked {
  path: string
  earlierPath: string | undefined
  head: string | undefined
}

function readArguments(): Asked | undefined {
  try {
    const { values, positionals } = parseArgs({ options: { head: { type: 'string' } }, allowPositionals: true })
    const [path, earlierPath, ...rest] = positionals
    return path && rest.length === 0 ? { path, earlierPath, head: values.head } : undefined
  } catch {
    return undefined
  }
}

async function verify({ path, earlierPath, head }: Asked): Promise<void> {
  const earlier = earlierPath ? await verifyTrail(linesOf(earlierPath)) : undefined
  const trail = await verifyTrail(linesOf(path), earlier)
  if (head !== undefined) await verifyTrail(linesOf(path), await readHead(head))
  const { seq, signed_at, hash } = trail.head
  const owner =
    'workspace_id' in trail.head ? `workspace ${trail.head.workspace_id}` : `organization ${trail.head.organization_id}`
  console.log(`${seq} records of ${owner}, as they were written.`)
  console.log(`Signed ${signed_at}, head ${hash}, by the key ${trail.public_key}`)
}

const asked = readArguments()
if (!asked) {
  console.error(USAGE)
  process.exit(2)
}
try {
  await verify(asked)
} catch (error) {
  console.error(error instanceof Tampering ? error.message : String(error))
  process.exit(1)
}
