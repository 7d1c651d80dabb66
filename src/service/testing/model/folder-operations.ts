import fc from 'fast-check'
import { api } from '../../../contract/index.ts'
import {
  act,
  audit,
  fileOf,
  folderOf,
  freeName,
  inherit,
  insertAt,
  liveSubtreeOf,
  type Model,
  type ModelDeletion,
  type ModelFile,
  type ModelFolder,
  namesIn,
  placeOf,
  subtreeOf,
  takeOut,
} from './model.ts'
import {
  administer,
  demand,
  manageFolder,
  openForUpload,
  type Operation,
  pick,
  pickFolder,
  place,
  plan,
  request,
  someone,
  userOf,
} from './operations.ts'

const NAMES = ['Fold', 'Fold a', 'Fold b']
const MAX_FOLDERS = 16

const create = plan(
  'create a folder',
  fc.record({ by: someone, at: place, name: fc.constantFrom(...NAMES) }),
  (model, { by, at, name }) => {
    if (Object.keys(model.folders).length > MAX_FOLDERS) return undefined
    return createFolder(userOf(model, by), model.workspace_id, { name, parent_id: pickFolder(model, at) })
  },
)

export const createFolder = (
  user: number,
  workspace_id: number,
  { name, parent_id }: { name: string; parent_id: number },
): Operation => ({
  user,
  endpoint: api.folders.create,
  call: { body: { workspace_id, name, parent_id } },
  apply(after, { id }) {
    const parent = openForUpload(after, user, parent_id)
    addFolder(after, parent, { id, name })
    act(after, user, `added the folder: ${name}`)
    return { id, name, parent_id, index: parent.subfolders.length }
  },
})

const update = plan(
  'rename or reindex a folder',
  fc.record({
    by: someone,
    at: place,
    name: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
    index: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  }),
  (model, { by, at, name, index }) => {
    const { workspace_id } = model
    const user = userOf(model, by)
    const id = pickFolder(model, at, { root: false })
    return {
      user,
      endpoint: api.folders.update,
      call: { params: { id }, body: { workspace_id, folder: { ...(name && { name }), ...(index && { index }) } } },
      apply(after) {
        const folder = manageFolder(after, user, id)
        demand(id !== 0, 422)
        if (name !== undefined && name !== folder.name) {
          act(after, user, `renamed the folder "${folder.name}" to "${name}"`)
          folder.name = name
        }
        if (index !== undefined && index !== placeOf(after, folder)) {
          audit(after, user, `changed the place of the folder: ${folder.name}`)
          reorder(after.folders[folder.parent]?.subfolders ?? [], id, index)
        }
        return { id, name: folder.name, index: placeOf(after, folder) }
      },
    }
  },
)

const remove = plan('delete a folder', fc.record({ by: someone, at: place }), (model, { by, at }) => {
  const { workspace_id } = model
  const user = userOf(model, by)
  const id = pickFolder(model, at, { root: false })
  return {
    user,
    endpoint: api.folders.remove,
    call: { params: { id }, query: { workspace_id } },
    apply(after) {
      const folder = manageFolder(after, user, id)
      demand(id !== 0, 422)
      const gone = liveSubtreeOf(after, folder)
      const key = `folder ${id}`
      const files = gone.flatMap((each) => each.files)
      for (const each of gone) each.deletion = key
      for (const file of files) (after.files[file] as ModelFile).deletion = key
      const at = takeOut(after.folders[folder.parent]?.subfolders ?? [], id)
      after.trash.push({ key, type: 'folder', id, place: at, by: user })
      act(after, user, `deleted the folder: ${folder.name}`)
      return { id, deleted: gone.length }
    },
  }
})

const move = plan('move a folder', fc.record({ by: someone, at: place, to: place }), (model, { by, at, to }) => {
  const { workspace_id } = model
  const user = userOf(model, by)
  const id = pickFolder(model, at, { root: false })
  const destination_folder_id = pickFolder(model, to)
  return {
    user,
    endpoint: api.folders.move,
    call: { params: { id }, body: { workspace_id, destination_folder_id } },
    apply(after) {
      const folder = manageFolder(after, user, id)
      demand(id !== 0, 422)
      const target = manageFolder(after, user, destination_folder_id)
      demand(!subtreeOf(after, folder).includes(target), 422)
      const source = after.folders[folder.parent] as ModelFolder
      const message = `moved the folder "${folder.name}" from "${source.name}" into the folder "${target.name}"`
      if (source !== target) {
        takeOut(source.subfolders, id)
        target.subfolders.push(id)
        folder.parent = target.id
        inherit(after, folder, target)
      }
      act(after, user, message)
      return { message, success: 1, id, parent_id: target.id, index: placeOf(after, folder) }
    },
  }
})

const copy = plan('copy a folder', fc.record({ by: someone, at: place, to: place }), (model, { by, at, to }) => {
  const id = pickFolder(model, at, { root: false })
  const folder = folderOf(model, id)
  if (folder && Object.keys(model.folders).length + liveSubtreeOf(model, folder).length > MAX_FOLDERS) return undefined
  const { workspace_id } = model
  const user = userOf(model, by)
  const destination_folder_id = pickFolder(model, to)
  return {
    user,
    endpoint: api.folders.copy,
    call: { params: { id }, body: { workspace_id, destination_folder_id } },
    apply(after, body: { id: number }) {
      const source = manageFolder(after, user, id)
      demand(id !== 0, 422)
      const target = manageFolder(after, user, destination_folder_id)
      const from = after.folders[source.parent] as ModelFolder
      const name = freeFolderName(after, target, source.name)
      // Taken before the copy is inserted, because a folder may be copied into itself.
      const shape = structuredClone(liveSubtreeOf(after, source))
      copyInto(after, target, { shape, folder: source, id: body.id, name })
      const message = `copied the folder "${source.name}" from "${from.name}" into the folder "${target.name}"`
      act(after, user, message)
      return { message, success: 1, id: body.id, name, parent_id: target.id }
    },
  }
})

const restore = plan('restore', fc.record({ by: someone, at: place }), (model, { by, at }): Operation | undefined => {
  const deletion = pick(model.trash, at)
  if (!deletion) return undefined
  const { workspace_id } = model
  const user = userOf(model, by)
  const { type, id } = deletion
  const restoreIt = (deletion_id: string) => ({ params: { deletion_id }, body: { workspace_id } })
  return {
    user,
    endpoint: api.trash.restore,
    call: restoreIt(`of the ${deletion.key}`),
    async send(run) {
      const deletion_id = await run.deletionIdOf(type, id)
      return request(run, user, api.trash.restore, restoreIt(deletion_id))
    },
    apply(after) {
      administer(after, user)
      const present = after.trash.find(({ key }) => key === deletion.key)
      demand(present, 404)
      after.trash = after.trash.filter((each) => each !== present)
      const restored = type === 'folder' ? restoreFolder(after, present) : restoreFile(after, present)
      const message = `restored the ${type}: ${restored.name}`
      act(after, user, message)
      return { message, type, id, ...restored }
    },
  }
})

function restoreFolder(model: Model, { id, key, place: at }: ModelDeletion) {
  const folder = model.folders[id] as ModelFolder
  const former = folderOf(model, folder.parent)
  const parent = former ?? (model.folders[0] as ModelFolder)
  if (!former) inherit(model, folder, parent)
  folder.parent = parent.id
  folder.name = freeFolderName(model, parent, folder.name)
  insertAt(parent.subfolders, former ? at : Infinity, id)
  for (const each of Object.values(model.folders)) if (each.deletion === key) each.deletion = undefined
  for (const each of Object.values(model.files)) if (each.deletion === key) each.deletion = undefined
  return { name: folder.name, folder_id: parent.id }
}

function restoreFile(model: Model, { id, place: at }: ModelDeletion) {
  const file = model.files[id] as ModelFile
  const former = folderOf(model, file.folder)
  const parent = former ?? (model.folders[0] as ModelFolder)
  putFile(model, file, parent)
  file.folder = parent.id
  file.deletion = undefined
  insertAt(parent.files, former ? at : Infinity, id)
  return { name: file.title, folder_id: parent.id }
}

/** Gives the file a name that is free in the folder; a title that equals the old name follows it. */
export function putFile(model: Model, file: ModelFile, folder: ModelFolder): void {
  const file_name = freeName(file.file_name, namesIn(model, folder))
  if (file.title === file.file_name) file.title = file_name
  file.file_name = file_name
}

const freeFolderName = (model: Model, parent: ModelFolder, name: string) =>
  freeName(
    name,
    parent.subfolders.map((id) => model.folders[id]?.name ?? ''),
    '',
  )

function addFolder(model: Model, parent: ModelFolder, { id, name }: { id: number; name: string }): ModelFolder {
  const folder = { id, parent: parent.id, name, subfolders: [], files: [], rights: structuredClone(parent.rights) }
  model.folders[id] = folder
  parent.subfolders.push(id)
  return folder
}

interface Copied {
  /** The source and everything below it, before the copy. */
  shape: ModelFolder[]
  folder: ModelFolder
  id: number
  name: string
}

function copyInto(model: Model, parent: ModelFolder, { shape, folder, id, name }: Copied): void {
  const made = addFolder(model, parent, { id, name })
  const source = shape.find((each) => each.id === folder.id) as ModelFolder
  for (const fileId of source.files) {
    const file = fileOf(model, fileId) as ModelFile
    const copied = newId(model)
    model.files[copied] = { ...file, id: copied, folder: id, version: 1 }
    made.files.push(copied)
  }
  for (const inside of source.subfolders.map((each) => shape.find((one) => one.id === each) as ModelFolder)) {
    copyInto(model, made, { shape, folder: inside, id: newId(model), name: inside.name })
  }
}

const newId = (model: Model) => -++model.unknownIds

export function reorder(list: number[], id: number, index: number): void {
  takeOut(list, id)
  insertAt(list, index - 1, id)
}

export const folderPlans = [
  { arbitrary: create, weight: 8 },
  { arbitrary: update, weight: 4 },
  { arbitrary: remove, weight: 3 },
  { arbitrary: move, weight: 4 },
  { arbitrary: copy, weight: 2 },
  { arbitrary: restore, weight: 4 },
]
