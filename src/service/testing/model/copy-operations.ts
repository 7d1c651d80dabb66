import fc from 'fast-check'
import { api } from '../../../contract/index.ts'
import { createKeyRequest } from '../../../reader/crypto.ts'
import { runJobs } from '../jobs.ts'
import { readZip } from '../documents/read-zip.ts'
import {
  act,
  activeGroups,
  fileOf,
  folderOf,
  groupsOf,
  isActive,
  isAdmin,
  isMember,
  isVisible,
  liveSubtreeOf,
  type Model,
  type ModelCopy,
  type ModelFile,
  type ModelFolder,
  pathOf,
  personOf,
  placeOf,
  protectionsOf,
  rightsOf,
  rightsOfGroup,
} from './model.ts'
import {
  administer,
  anyone,
  demand,
  enterWorkspace,
  type Operation,
  pick,
  pickFile,
  pickFolder,
  place,
  plan,
  request,
  someone,
  userOf,
} from './operations.ts'
import type { Run } from './run.ts'

/** The name of the one document that can be viewed, marked and sealed. */
export const DOCUMENT = 'doc plan.png'

const zip = plan(
  'download as a zip',
  fc.record({
    by: anyone,
    folders: fc.array(place, { maxLength: 2 }),
    files: fc.array(place, { maxLength: 2 }),
  }),
  (model, { by, folders, files }): Operation | undefined => {
    const { workspace_id } = model
    const user = userOf(model, by)
    const folder_ids = [...new Set(folders.map((at) => pickFolder(model, at)))]
    const file_ids = [...new Set(files.flatMap((at) => pickFile(model, at) ?? []))]
    const call = { body: { workspace_id, download: { folder_ids, file_ids } } }
    return {
      user,
      endpoint: api.downloads.create,
      call,
      async send(run) {
        const answer = await request(run, user, api.downloads.create, call)
        if (answer.status !== 201) return answer
        const entries = await fetchZip(run, user, answer.body.id)
        return { ...answer, body: { ...answer.body, entries, copies: await listCopies(run) } }
      },
      apply(after, body: { copies?: ModelCopy[] }) {
        enterWorkspace(after, user)
        demand(folder_ids.length + file_ids.length > 0, 422)
        const chosen = select(after, user, { folder_ids, file_ids })
        for (const id of folder_ids) act(after, user, `downloaded the folder: ${after.folders[id]?.name}`)
        const entries = chosen.map((each) => enter(after, user, each, body.copies))
        return { entries: [...entries.flat(), 'MANIFEST.csv'].map(unnumbered).toSorted(), copies: copiesOf(after) }
      },
    }
  },
)

interface Selected {
  file: ModelFile
  folder: ModelFolder
  name: string
}

/**
 * Every selected file that may be downloaded, with its name in the zip. A folder inside another selected one counts
 * once.
 */
function select(
  model: Model,
  user: number,
  { folder_ids, file_ids }: { folder_ids: number[]; file_ids: number[] },
): Selected[] {
  const folders = folder_ids.map((id) => folderOf(model, id))
  const files = file_ids.map((id) => fileOf(model, id))
  const homes = files.map((file) => file && folderOf(model, file.folder))
  demand(
    folders.every((folder) => folder && (folder.id === 0 || isVisible(model, user, folder))),
    404,
  )
  demand(
    homes.every((folder) => folder && rightsOf(model, user, folder).view),
    404,
  )
  demand(
    [...folders, ...homes].every((folder) => folder && rightsOf(model, user, folder).download),
    403,
  )
  const tops = (folders as ModelFolder[]).filter(
    (folder) => !pathOf(model, folder).some(({ id }) => id !== folder.id && folder_ids.includes(id)),
  )
  const inside = tops.flatMap((top) => liveSubtreeOf(model, top))
  const outlined = inside
    .filter((folder) => rightsOf(model, user, folder).download)
    .flatMap((folder) =>
      folder.files.map((id, at) => {
        const file = model.files[id] as ModelFile
        return {
          file,
          folder,
          name: [...directoriesOf(model, folder, tops), nameOf(model, folder, at, file)].join('/'),
        }
      }),
    )
  const loose = (files as ModelFile[])
    .map((file, at) => ({ file, folder: homes[at] as ModelFolder, name: file.title }))
    .filter(({ folder }) => !inside.includes(folder))
  return [...loose, ...outlined]
}

const outlineOf = (model: Model, folder: ModelFolder) =>
  pathOf(model, folder)
    .slice(1)
    .map((each) => placeOf(model, each))
    .join('.')

function directoriesOf(model: Model, folder: ModelFolder, tops: ModelFolder[]): string[] {
  const path = pathOf(model, folder)
  const from = path.findIndex((each) => tops.includes(each))
  return path
    .slice(from)
    .filter(({ id }) => id !== 0)
    .map((each) => `${outlineOf(model, each)} ${each.name}`)
}

function nameOf(model: Model, folder: ModelFolder, at: number, file: ModelFile) {
  const beside = folder.subfolders.length
  return `${[outlineOf(model, folder), beside + at + 1].filter((part) => part !== '').join('.')} ${file.title}`
}

/** The zip entry of a file: plain, marked, sealed or left out. Records the download, and the copy if it is sealed. */
function enter(model: Model, user: number, { file, folder, name }: Selected, made: ModelCopy[] = []): string[] {
  act(model, user, `downloaded the file: ${file.title}`)
  const { drm, watermark } = protectionsOf(model, user, folder)
  const isDocument = file.file_name.endsWith('.png')
  if (!drm && !watermark) return [`${name} ${isDocument ? 'plain' : file.content}`]
  if (!isDocument) return []
  if (!drm) return [`${name} marked`]
  const group_ids = activeGroups(model, user)
    .filter((group) => group.drm && rightsOfGroup(folder, group).download)
    .map(({ id }) => id)
  const isKnown = ({ copy_id }: ModelCopy) => model.copies.some((each) => each.copy_id === copy_id)
  const copy_id = made.find((each) => !isKnown(each) && each.file_id === file.id)?.copy_id ?? 'missing'
  model.copies.push({ copy_id, file_id: file.id, user_id: user, group_ids, revoked: false, openings: 0, refusals: 0 })
  return [`${name}.sealed.html sealed`]
}

/** `name content` of each file entry, sorted. */
async function fetchZip(run: Run, user: number, id: number): Promise<string[] | string> {
  await runJobs(run.service)
  const query = { workspace_id: run.workspace_id }
  const { status, body } = await run.request(user, api.downloads.get, { params: { id }, query })
  if (status !== 200) {
    return String(status)
  }
  const response = await fetch(run.service.url + new URL(body.expiring_url).pathname)
  const entries = await readZip(Buffer.from(await response.arrayBuffer()))
  return Object.entries(entries)
    .filter(([name]) => !name.endsWith('/'))
    .map(([name, text]) => unnumbered(name === 'MANIFEST.csv' ? name : `${name} ${kindOf(name, text, run)}`))
    .toSorted()
}

/** Removes numbers, because the order in the zip decides which of several files with one name is numbered. */
const unnumbered = (entry: string) => entry.replaceAll(/ \(\d+\)/g, '')

function kindOf(name: string, text: string, run: Run): string {
  if (name.endsWith('.sealed.html')) return text.includes('id="envelope"') ? 'sealed' : 'not sealed'
  if (name.endsWith('.png')) return text === run.document.toString('utf8') ? 'plain' : 'marked'
  return text
}

/** The copies as admins see them, sorted by id. */
async function listCopies(run: Run): Promise<ReturnType<typeof copyShape>[]> {
  const query = { workspace_id: run.workspace_id, per_page: 100 }
  const { status, body } = await run.asAdmin(api.sealedCopies.list, { query })
  if (status !== 200) throw new Error(`an admin is refused the sealed copies with ${status}`)
  return body.map(copyShape).toSorted(byId)
}

export const copyShape = (copy: {
  copy_id: string
  file_id: number
  user_id: number
  groups: { id: number }[]
  openings: number
  refusals: number
  revoked_at: string | null
}) => ({
  copy_id: copy.copy_id,
  file_id: copy.file_id,
  user_id: copy.user_id,
  group_ids: copy.groups.map(({ id }) => id),
  openings: copy.openings,
  refusals: copy.refusals,
  revoked: copy.revoked_at !== null,
})

const byId = (a: { copy_id: string }, b: { copy_id: string }) => a.copy_id.localeCompare(b.copy_id)

/** Leaves out groups that were deleted meanwhile. */
export const copiesOf = (model: Model) =>
  model.copies
    .map((copy) => ({
      ...copy,
      group_ids: copy.group_ids.filter((id) => model.groups.some((group) => group.id === id)).toSorted((a, b) => a - b),
    }))
    .toSorted(byId)

/** Mostly opened by the user it was made for. */
const open = plan(
  'open a sealed copy',
  fc.record({ at: place, own: fc.constantFrom(true, true, true, false), by: anyone }),
  (model, { at, own, by }): Operation | undefined => {
    const found = pick(model.copies, at)
    if (!found) return undefined
    const { workspace_id } = model
    const { copy_id } = found
    const user = own ? found.user_id : userOf(model, by)
    const callWith = (challenge: string) => ({ params: { copy_id }, body: { workspace_id, challenge } })
    return {
      user,
      endpoint: api.sealedCopies.open,
      call: callWith('of a new reader'),
      async send(run) {
        const asked = await createKeyRequest(copy_id)
        const answer = await request(run, user, api.sealedCopies.open, callWith(asked.challenge))
        if (!answer.body.opened) return answer
        const { verifier, publicKey: public_key } = asked
        const redemption = { action: 'redeem', copy_id, verifier, public_key, code: answer.body.code }
        const init = { method: 'POST', body: JSON.stringify(redemption) }
        const redeemed = await fetch(`${run.service.url}/sealed/key`, init)
        return { ...answer, body: { ...answer.body, redeemed: ((await redeemed.json()) as { status: string }).status } }
      },
      apply(after) {
        const copy = after.copies.find((each) => each.copy_id === copy_id) as ModelCopy
        if (copy.user_id !== user) enterWorkspace(after, user)
        const refusal = refusalOf(after, user, copy)
        const { title } = after.files[copy.file_id] as ModelFile
        if (refusal) {
          const refusedFile = copy.file_id
          after.acts.push({ user, message: `was refused the sealed file: ${title}`, refusedFile })
          copy.refusals += 1
        } else {
          act(after, user, `opened the sealed file: ${title}`)
          copy.openings += 1
        }
        return { opened: !refusal, refusal, ...(!refusal && { redeemed: 'released' }) }
      },
    }
  },
)

/** Checks in the order of decisions, section 8. */
function refusalOf(model: Model, user: number, copy: ModelCopy): string | null {
  if (copy.user_id !== user) return 'other_person'
  if (copy.revoked) return 'revoked'
  if (!isMember(model, user)) return 'not_member'
  const file = fileOf(model, copy.file_id)
  const folder = file && folderOf(model, file.folder)
  if (!folder) return 'deleted'
  if (isAdmin(model, user)) return null
  const granting = groupsOf(model, user).filter((group) => rightsOfGroup(folder, group).download)
  const through = granting.filter(({ id }) => copy.group_ids.includes(id))
  if (through.length === 0) return 'no_right'
  const active = through.filter((group) => isActive(model, group))
  if (active.length === 0) return 'access_ended'
  if (!active.some(({ drm }) => drm)) return 'drm_off'
  const lastDays = granting.filter((group) => isActive(model, group) && group.drm)
  return lastDays.some(({ drmLastDay }) => drmLastDay !== null && drmLastDay < model.today) ? 'drm_expired' : null
}

const revoke = plan(
  'revoke or restore a sealed copy',
  fc.record({ by: someone, at: place, revoked: fc.boolean() }),
  (model, { by, at, revoked }) => {
    const found = pick(model.copies, at)
    if (!found) return undefined
    const { workspace_id } = model
    const user = userOf(model, by)
    const { copy_id } = found
    return {
      user,
      endpoint: revoked ? api.sealedCopies.revoke : api.sealedCopies.restore,
      call: { params: { copy_id }, body: { workspace_id } },
      apply(after) {
        administer(after, user)
        const copy = after.copies.find((each) => each.copy_id === copy_id) as ModelCopy
        if (copy.revoked !== revoked) {
          const { title } = after.files[copy.file_id] as ModelFile
          const word = revoked ? 'revoked' : 'restored'
          act(after, user, `${word} the sealed copy of ${personOf(after, copy.user_id).email}: ${title}`)
        }
        copy.revoked = revoked
        return { copy_id }
      },
    }
  },
)

export const copyPlans = [
  { arbitrary: zip, weight: 5, alone: true },
  { arbitrary: open, weight: 5 },
  { arbitrary: revoke, weight: 1 },
]
