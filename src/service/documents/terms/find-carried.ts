import { RenderFault } from '../render/faults.ts'
import { openQpdf } from '../watermark/carry/qpdf.ts'
import { createValues, type Dictionary, type Dump, type Value, type Values } from '../watermark/carry/pdf-values.ts'
import { kindOfAddress } from './address.ts'

/** What a PDF has besides pages: it is encrypted, runs programs or sends data, carries files, or leads to local ones. */
export type Carried = 'nothing' | 'encryption' | 'scripts' | 'files' | 'links'

/** Of qpdf's dump, which is several times as large as the objects of a document. */
const MAX_DUMP_BYTES = 48 * 1024 ** 2

/** Types of actions that run code or programs, or send what was typed. */
const ACTIONS = new Set(['/JavaScript', '/Launch', '/SubmitForm', '/ImportData', '/RichMediaExecute', '/Rendition'])
/** Types of actions that open another file, which is named beside them. */
const LEADING = new Set(['/GoToR', '/GoToE', '/Thread', '/Movie'])
/** XFA forms are scripted; rich media and 3D annotations bring programs along. */
const SCRIPTED = ['/JS', '/JavaScript', '/XFA', '/RichMediaContent', '/3DD', '/OnInstantiate']
/** Actions that follow an action; more are no document that anybody made. */
const MAX_NEXT = 100

/**
 * Looks through all objects of a PDF, also those in object streams and those that no page refers to.
 * @throws RenderFault for a document that qpdf cannot read, or has to repair: others may read something else in it
 */
export async function findCarried(path: string): Promise<Carried> {
  const qpdf = await openQpdf()
  const input = qpdf.open(path)
  // qpdf ends with 0 if a document is encrypted, also with an empty password.
  if (qpdf.run(['--is-encrypted', input]) === 0) return 'encryption'
  const dump = '/dump.json'
  if (qpdf.run([input, '--json-output', '--json-stream-data=none', dump]) !== 0) throw new RenderFault('damaged')
  const json = qpdf.take(dump)
  if (json.length > MAX_DUMP_BYTES) throw new RenderFault('memory')
  return carriedIn(JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.length).toString()) as Dump)
}

type Found = Exclude<Carried, 'nothing' | 'encryption'>

function carriedIn({ qpdf: [, objects] }: Dump): Carried {
  const values = createValues(objects)
  const found = new Set<Found>()
  const left: Value[] = []
  for (const { value, stream } of Object.values(objects)) {
    left.push(value ?? stream?.dict ?? null)
    // The content of such a stream is in another file.
    if (stream && '/F' in stream.dict) found.add('links')
  }
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (typeof each !== 'object' || each === null) continue
    if (Array.isArray(each)) {
      for (const item of each) left.push(item)
      continue
    }
    if (isScripted(each, values)) return 'scripts'
    if (hasFile(each, values)) found.add('files')
    for (const kind of leadsOf(each, values)) found.add(kind)
    for (const value of Object.values(each)) left.push(value)
  }
  return (['scripts', 'files', 'links'] as const).find((kind) => found.has(kind)) ?? 'nothing'
}

const isScripted = (dictionary: Dictionary, values: Values): boolean =>
  SCRIPTED.some((name) => name in dictionary) ||
  ACTIONS.has(String(values.resolve(dictionary['/S']))) ||
  automaticIn(dictionary, values).some((action) => values.resolve(action['/S']) === '/URI')

/** Actions that nobody has to choose: of opening the document, or of an event of a page or field. */
function automaticIn(dictionary: Dictionary, { dictionary: of, resolve }: Values): Dictionary[] {
  const left: (Value | undefined)[] = [dictionary['/OpenAction'], ...Object.values(of(dictionary['/AA']))]
  const actions: Dictionary[] = []
  for (let each = left.pop(); left.length > 0 || each !== undefined; each = left.pop()) {
    const action = of(each)
    if (!('/S' in action)) continue
    if (actions.push(action) > MAX_NEXT) throw new RenderFault('damaged')
    const next = resolve(action['/Next'])
    for (const one of Array.isArray(next) ? next : [action['/Next']]) if (one !== undefined) left.push(one)
  }
  return actions
}

function hasFile(dictionary: Dictionary, { resolve, dictionary: of, streamOf }: Values): boolean {
  const type = resolve(dictionary['/Type'])
  const tree = of(dictionary['/EmbeddedFiles'])
  const embedded = of(dictionary['/EF'])
  return (
    type === '/EmbeddedFile' ||
    // Fonts and other resources may have the same name.
    ['/F', '/UF', '/DOS', '/Mac', '/Unix'].some((name) => streamOf(embedded[name])) ||
    (type === '/Catalog' && '/Collection' in dictionary) ||
    '/Names' in tree ||
    '/Kids' in tree
  )
}

function leadsOf(dictionary: Dictionary, { resolve, dictionary: of }: Values): ('scripts' | 'links')[] {
  const other = LEADING.has(String(resolve(dictionary['/S']))) && ['/F', '/T'].some((name) => name in dictionary)
  const addresses = [dictionary['/URI'], of(dictionary['/URI'])['/Base']].map((each) => kindOfAddress(resolve(each)))
  const isForeign = other || '/F' in of(dictionary['/Ref']) || addresses.includes('foreign')
  return [...(isForeign ? (['links'] as const) : []), ...(addresses.includes('harmful') ? (['scripts'] as const) : [])]
}
