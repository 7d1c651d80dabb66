import { createReadStream } from 'node:fs'
import { Tampering, verifyTrail } from '../service/audit/verify.ts'

// `npm run audit:verify -- export.jsonl [earlier.jsonl]`: is the export as it was written, and does it go on from the
// earlier one? Needs no service. Ends with 1 and names the first bad record if not.

const [path, earlierPath] = process.argv.slice(2)
if (!path) {
  console.error('npm run audit:verify -- export.jsonl [earlier.jsonl]')
  process.exit(2)
}

/** Strict, unlike what reads text for people: no other line ends, no bytes that are no text. */
async function* linesOf(file: string): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
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
