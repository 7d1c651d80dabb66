import { RenderFault } from '../render/faults.ts'
import { openQpdf } from '../watermark/carry/qpdf.ts'
import { createValues, type Dictionary, type Dump, type Value } from '../watermark/carry/pdf-values.ts'

/** What a PDF has besides pages: it is encrypted, runs programs or sends data, or carries files. */
export type Carried = 'nothing' | 'encryption' | 'scripts' | 'files'

/** Of qpdf's dump, which is several times as large as the objects of a document. */
const MAX_DUMP_BYTES = 48 * 1024 ** 2

/** Types of actions that run code or programs, or send what was typed. */
const ACTIONS = new Set(['/JavaScript', '/Launch', '/SubmitForm', '/ImportData', '/RichMediaExecute'])
/** XFA forms are scripted; rich media and 3D annotations bring programs along. */
const SCRIPTED = ['/JS', '/JavaScript', '/XFA', '/RichMediaContent', '/3DD', '/OnInstantiate']
/** Matches a string as qpdf writes it in JSON, with the prefix "u:". */
const HARMFUL_ADDRESS = /^u:\s*(?:javascript|vbscript|data|file):/i
const EMBEDDED = ['/EmbeddedFiles', '/EmbeddedFile', '/EF', '/Collection']

/**
 * Looks through all objects of a PDF, also those in object streams and those that no page refers to.
 * @throws RenderFault for a document that qpdf cannot read
 */
export async function findCarried(path: string): Promise<Carried> {
  const qpdf = await openQpdf()
  const input = qpdf.open(path)
  // qpdf ends with 0 if a document is encrypted, also with an empty password.
  if (qpdf.run(['--is-encrypted', input]) === 0) return 'encryption'
  const dump = '/dump.json'
  if (qpdf.run([input, '--json-output', '--json-stream-data=none', dump]) === 2) throw new RenderFault('damaged')
  const json = qpdf.take(dump)
  if (json.length > MAX_DUMP_BYTES) throw new RenderFault('memory')
  return carriedIn(JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.length).toString()) as Dump)
}

function carriedIn({ qpdf: [, objects] }: Dump): Carried {
  const { resolve } = createValues(objects)
  let hasFiles = false
  const left: Value[] = Object.values(objects).map(({ value, stream }) => value ?? stream?.dict ?? null)
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (typeof each !== 'object' || each === null) continue
    if (Array.isArray(each)) {
      for (const item of each) left.push(item)
      continue
    }
    if (isScripted(each, resolve)) return 'scripts'
    hasFiles ||= EMBEDDED.some((name) => name in each) || resolve(each['/Type']) === '/EmbeddedFile'
    for (const value of Object.values(each)) left.push(value)
  }
  return hasFiles ? 'files' : 'nothing'
}

const isScripted = (dictionary: Dictionary, resolve: (value: Value | undefined) => Value | undefined): boolean =>
  SCRIPTED.some((name) => name in dictionary) ||
  ACTIONS.has(String(resolve(dictionary['/S']))) ||
  HARMFUL_ADDRESS.test(String(resolve(dictionary['/URI'])))
