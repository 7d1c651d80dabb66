import { FRESH, type Upload } from './upload.ts'
import { noteLeft } from './start-uploads.ts'

// Keeps unfinished uploads for after a reload: names, sizes and the service's ids, but never the bytes.

const DATABASE = 'strongroom-uploads'
const STORE = 'uploads'
/** Uploads written in one transaction, so that thousands do not block the page. */
const AT_ONCE = 500

interface KeptUpload {
  id: number
  /** Another user who signs in must not see these uploads. */
  userId: number
  /** The tab that sends the upload as long as the tab is open. */
  tab: string
  workspaceId: number
  folderId: number
  path: readonly string[]
  name: string
  fileName: string
  size: number
  lastModified: number
  handle: FileSystemFileHandle | undefined
  uploadId: number | undefined
}

const TAB: string = `${Date.now()}-${Math.random()}`
let held: Promise<unknown> | undefined

/** Holds a lock while this tab is open, so that no other tab takes over its uploads. Without locks, any tab may. */
function holdTab(): Promise<unknown> {
  held ??= new Promise((resolve) => {
    if (!navigator.locks) return resolve(undefined)
    const untilClosed = new Promise(() => {})
    void navigator.locks.request(lockOf(TAB), () => {
      resolve(undefined)
      return untilClosed
    })
  })
  return held
}

const lockOf = (tab: string) => `${DATABASE} ${tab}`

export async function keepUploads(userId: number, uploads: readonly Upload[]): Promise<void> {
  await holdTab()
  noteLeft(true)
  for (let at = 0; at < uploads.length; at += AT_ONCE) {
    await change((store) => {
      for (const upload of uploads.slice(at, at + AT_ONCE)) store.put(keptOf(userId, upload))
    })
  }
}

function keptOf(userId: number, upload: Upload): KeptUpload {
  const { id, workspaceId, folderId, path, name, fileName, size, lastModified, handle, uploadId } = upload
  const place = { id, userId, tab: TAB, workspaceId, folderId, path, name, fileName }
  return { ...place, size, lastModified, handle, uploadId }
}

export function forgetUploads(uploads: readonly Upload[]): Promise<void> {
  return change((store) => {
    for (const { id } of uploads) store.delete(id)
  })
}

/** Recalls a user's unfinished uploads from closed tabs, and from an open tab once it is closed. */
export async function recallUploads(userId: number, onRecalled: (uploads: Upload[]) => void): Promise<void> {
  const isOwn = (each: KeptUpload) => each.userId === userId
  const takeOver = async (tab: string) => {
    const left = (await readAll()).filter((each) => isOwn(each) && each.tab === tab)
    const uploads = left.map((each): Upload => ({ ...FRESH, ...each, file: undefined, again: true, state: 'missing' }))
    await keepUploads(userId, uploads)
    if (uploads.length > 0) onRecalled(uploads)
  }
  const all = await readAll()
  if (all.length === 0) noteLeft(false)
  const tabs = new Set(all.filter(isOwn).map(({ tab }) => tab))
  for (const tab of tabs) {
    // Uploads of this very tab are from before another user was signed in here.
    if (navigator.locks && tab !== TAB) void navigator.locks.request(lockOf(tab), () => takeOver(tab))
    else await takeOver(tab)
  }
}

async function readAll(): Promise<KeptUpload[]> {
  let kept: KeptUpload[] = []
  await change((store) => {
    const all = store.getAll() as IDBRequest<KeptUpload[]>
    all.addEventListener('success', () => (kept = all.result))
  })
  return kept
}

/** Ignores failures: without a database in the browser, uploads still work until the next reload. */
async function change(work: (store: IDBObjectStore) => void): Promise<void> {
  try {
    const database = await open()
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite')
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('aborted')))
      work(transaction.objectStore(STORE))
    })
  } catch {
    opened = undefined
  }
}

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE, { keyPath: 'id' }))
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('no database')))
  })
  return opened
}
