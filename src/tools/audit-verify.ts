import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { Tampering, verifyTrail } from '../service/audit/verify.ts'

// `npm run audit:verify -- export.jsonl [earlier.jsonl]`: is the export as it was written, and does it go on from the
// earlier one? Needs no service. Ends with 1 and names the first bad record if not.

const LINE_END = 0x0a

const [path, earlierPath] = process.argv.slice(2)
if (!path) {
  console.error('npm run audit:verify -- export.jsonl [earlier.jsonl]')
  process.exit(2)
}

/** Strict, unlike what reads text for people: there is one line end only. */
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

/** Bytes that are no text give nothing, which is no line of a trail. */
function textOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : ''
}

try {
  const earlier = earlierPath ? await verifyTrail(linesOf(earlierPath)) : undefined
  const { head, public_key } = await verifyTrail(linesOf(path), earlier)
  console.log(`${head.seq} records of workspace ${head.workspace_id}, as they were written.`)
  console.log(`Signed ${head.signed_at}, head ${head.hash}, by the key ${public_key}`)
} catch (error) {
  console.error(error instanceof Tampering ? error.message : String(error))
  process.exit(1)
}
