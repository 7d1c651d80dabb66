import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { api } from '../../../contract/index.ts'
import type { Bytes } from '../client.ts'
import {
  act,
  audit,
  extensionOf,
  type Model,
  type ModelFile,
  type ModelFolder,
  protectionsOf,
  rightsOf,
  takeOut,
} from './model.ts'
import { putFile, reorder } from './folder-operations.ts'
import {
  anyone,
  demand,
  manageFile,
  manageFolder,
  openForUpload,
  type Operation,
  pickFile,
  pickFolder,
  place,
  plan,
  readFile,
  request,
  someone,
  userOf,
} from './operations.ts'

const NAMES = ['doc.bin', 'doc one.bin', 'doc two.bin']
const MAX_FILES = 16

const destination = fc.record({ by: anyone, at: place, file_name: fc.constantFrom(...NAMES) })
/** Content of a file that cannot be viewed. */
export const BYTES = '\u0000\u0001 one'
/** Only a few, so that the same bytes recur. */
const content = fc.constantFrom(BYTES, '\u0000\u0001 two', '\u0000\u0001 three')

const upload = plan(
  'upload',
  fc.record({ to: destination, content, unless_same: fc.boolean() }),
  (model, { to, content: bytes, unless_same }) => {
    if (Object.keys(model.files).length > MAX_FILES) return undefined
    const { by, at, file_name } = to
    const folder_id = pickFolder(model, at)
    const { workspace_id } = model
    return uploadFile(userOf(model, by), { workspace_id, folder_id, file_name, unless_same, content: bytes })
  },
)

interface Uploaded {
  workspace_id: number
  folder_id: number
  file_name: string
  unless_same: boolean
  content: Bytes
}

export const uploadFile = (user: number, { content: bytes, ...query }: Uploaded): Operation => ({
  user,
  endpoint: api.files.upload,
  call: { query },
  content: bytes,
  apply: (after, { id }) => receive(after, user, { ...query, content: Buffer.from(bytes).toString('latin1'), id }),
})

/** Begins an upload, sends two chunks and finishes it; the first refusal is the answer. */
const uploadInChunks = plan(
  'upload in chunks',
  fc.record({ to: destination, content }),
  (model, { to, content: bytes }): Operation | undefined => {
    if (Object.keys(model.files).length > MAX_FILES) return undefined
    const { workspace_id } = model
    const user = userOf(model, to.by)
    const folder_id = pickFolder(model, to.at)
    const { file_name } = to
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const begin = { body: { workspace_id, folder_id, file_name, size: String(bytes.length), sha256 } }
    return {
      user,
      endpoint: api.uploads.finish,
      call: begin,
      content: bytes,
      async send(run) {
        const begun = await request(run, user, api.uploads.create, begin)
        if (begun.status !== 201) return begun
        const { id } = begun.body
        for (const [from, to] of [
          [0, 3],
          [3, bytes.length],
        ] as const) {
          const query = { workspace_id, id, offset: String(from) }
          const sent = await request(run, user, api.uploads.append, { query }, bytes.slice(from, to))
          if (sent.status !== 200) return sent
        }
        return request(run, user, api.uploads.finish, { params: { id }, body: { workspace_id } })
      },
      apply(after, { id }: { id: number }) {
        openForUpload(after, user, folder_id)
        audit(after, user, `began to upload the file: ${file_name}`)
        return receive(after, user, { folder_id, file_name, content: bytes, id, unless_same: false })
      },
    }
  },
)

interface Received {
  folder_id: number
  file_name: string
  content: string
  id: number
  unless_same: boolean
}

function receive(model: Model, user: number, { folder_id, file_name, content: bytes, id, unless_same }: Received) {
  const folder = openForUpload(model, user, folder_id)
  const known = folder.files.map((each) => model.files[each] as ModelFile).find((file) => file.file_name === file_name)
  if (known && !(unless_same && known.content === bytes)) {
    known.version += 1
    known.content = bytes
    act(model, user, `updated the file: ${known.title}`)
  }
  if (!known) {
    model.files[id] = { id, folder: folder_id, title: file_name, file_name, version: 1, content: bytes }
    folder.files.push(id)
    act(model, user, `added the file: ${file_name}`)
  }
  const { version, title } = known ?? { version: 1, title: file_name }
  return { id: known?.id ?? id, version, title, file_name, file_size: String(bytes.length) }
}

const update = plan(
  'rename or reindex a file',
  fc.record({
    by: someone,
    at: place,
    title: fc.option(fc.constantFrom('doc title.bin', 'doc bare', 'doc one.bin'), { nil: undefined }),
    index: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  }),
  (model, { by, at, title, index }) => {
    const id = pickFile(model, at)
    if (id === undefined) return undefined
    const { workspace_id } = model
    const user = userOf(model, by)
    return {
      user,
      endpoint: api.files.update,
      call: { params: { id }, body: { workspace_id, file: { ...(title && { title }), ...(index && { index }) } } },
      apply(after) {
        const { file, folder } = manageFile(after, user, id)
        if (title !== undefined) rename(after, user, file, title)
        if (index !== undefined && index !== folder.files.indexOf(id) + 1) {
          reorder(folder.files, id, index)
          act(after, user, `updated the file: ${file.title}`)
        }
        return { id, title: file.title, index: folder.files.indexOf(id) + 1 }
      },
    }
  },
)

function rename(model: Model, user: number, file: ModelFile, wanted: string): void {
  const extension = extensionOf(file.file_name)
  const title = extensionOf(wanted) === extension ? wanted : wanted + extension
  if (title === file.title) return
  act(model, user, `renamed the file "${file.title}" to "${title}"`)
  file.title = title
}

const remove = plan('delete a file', fc.record({ by: someone, at: place }), (model, { by, at }) => {
  const id = pickFile(model, at)
  if (id === undefined) return undefined
  const { workspace_id } = model
  const user = userOf(model, by)
  return {
    user,
    endpoint: api.files.remove,
    call: { params: { id }, query: { workspace_id } },
    apply(after) {
      const { file, folder } = manageFile(after, user, id)
      file.deletion = `file ${id}`
      after.trash.push({ key: file.deletion, type: 'file', id, place: takeOut(folder.files, id), by: user })
      act(after, user, `deleted the file: ${file.title}`)
      return { id }
    },
  }
})

const moveOrCopy = plan(
  'move or copy a file',
  fc.record({ by: someone, verb: fc.constantFrom('move' as const, 'copy' as const), at: place, to: place }),
  (model, { by, verb, at, to }) => {
    const id = pickFile(model, at)
    if (id === undefined || (verb === 'copy' && Object.keys(model.files).length > MAX_FILES)) return undefined
    const { workspace_id } = model
    const user = userOf(model, by)
    const destination_folder_id = pickFolder(model, to)
    return {
      user,
      endpoint: api.files[verb],
      call: { params: { id }, body: { workspace_id, destination_folder_id } },
      apply(after, body: { id: number }) {
        const { file, folder } = manageFile(after, user, id)
        const target = manageFolder(after, user, destination_folder_id)
        const done = verb === 'move' ? 'moved' : 'copied'
        const message = `${done} the file "${file.title}" from "${folder.name}" into the folder "${target.name}"`
        act(after, user, message)
        const result = verb === 'move' ? moved(after, { file, folder, target }) : copied(after, file, target, body.id)
        const { title, file_name, version } = result
        return { message, success: 'true', id: result.id, title, file_name, version, folder_id: target.id }
      },
    }
  },
)

function moved(
  model: Model,
  { file, folder, target }: { file: ModelFile; folder: ModelFolder; target: ModelFolder },
): ModelFile {
  if (folder === target) return file
  takeOut(folder.files, file.id)
  putFile(model, file, target)
  file.folder = target.id
  target.files.push(file.id)
  return file
}

function copied(model: Model, file: ModelFile, target: ModelFolder, id: number): ModelFile {
  const copy: ModelFile = { ...file, id, folder: target.id, version: 1 }
  putFile(model, copy, target)
  model.files[id] = copy
  target.files.push(id)
  return copy
}

/** Gives plain or marked bytes, or a refusal because of the protections: only the document can carry a mark. */
const download = plan('download a file', fc.record({ by: anyone, at: place }), (model, { by, at }) => {
  const file_id = pickFile(model, at)
  if (file_id === undefined) return undefined
  const { workspace_id } = model
  const user = userOf(model, by)
  return {
    user,
    endpoint: api.downloads.getFile,
    call: { params: { file_id }, query: { workspace_id } },
    async send(run) {
      const answer = await request(run, user, api.downloads.getFile, { params: { file_id }, query: { workspace_id } })
      if (answer.status !== 200) return answer
      const { expiring_url: url } = answer.body
      const bytes = Buffer.from(await (await fetch(run.service.url + new URL(url).pathname)).arrayBuffer())
      const content = bytes.toString('latin1')
      const marked = content.startsWith('\u0089PNG') && !bytes.equals(run.document)
      run.urls.push({ user, file_id, marked, url })
      return { ...answer, body: { ...answer.body, content: marked ? 'marked' : content } }
    },
    apply(after) {
      const { file, folder } = readFile(after, user, file_id)
      demand(rightsOf(after, user, folder).download, 403)
      const { drm, watermark } = protectionsOf(after, user, folder)
      demand(!drm, 403)
      demand(!watermark || file.file_name.endsWith('.png'), 422)
      act(after, user, `downloaded the file: ${file.title}`)
      return { file_name: file.title, content: watermark ? 'marked' : file.content }
    },
  }
})

export const filePlans = [
  { arbitrary: upload, weight: 8 },
  { arbitrary: uploadInChunks, weight: 2 },
  { arbitrary: update, weight: 4 },
  { arbitrary: remove, weight: 3 },
  { arbitrary: moveOrCopy, weight: 5 },
  { arbitrary: download, weight: 3 },
]
