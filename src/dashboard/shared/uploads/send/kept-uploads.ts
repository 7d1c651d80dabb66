import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb'
import { FRESH, type Upload } from '../upload.ts'
import { noteLeft } from '../drop/start-uploads.ts'

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
  /** Missing in uploads that an earlier release kept. */
  key?: string | undefined
}

interface Kept extends DBSchema {
  uploads: { key: number; value: KeptUpload }
}

type Store = IDBPObjectStore<Kept, ['uploads'], 'uploads', 'readwrite'>

const TAB: string = `${Date.now()}-${Math.random()}`
let held: Promise<unknown> | undefined
/** This page has stored uploads, so an earlier empty read does not mean that none are left. */
let hasKept = false

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
  hasKept = true
  await holdTab()
  noteLeft(true)
  for (let at = 0; at < uploads.length; at += AT_ONCE) {
    await change((store) => uploads.slice(at, at + AT_ONCE).map((upload) => store.put(keptOf(userId, upload))))
  }
}

function keptOf(userId: number, upload: Upload): KeptUpload {
  const { id, workspaceId, folderId, path, name, fileName, size, lastModified, handle, uploadId, key } = upload
  const place = { id, userId, tab: TAB, workspaceId, folderId, path, name, fileName }
  return { ...place, size, lastModified, handle, uploadId, key }
}

export function forgetUploads(uploads: readonly Upload[]): Promise<void> {
  return change((store) => uploads.map(({ id }) => store.delete(id)))
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
  if (all.length === 0 && !hasKept) noteLeft(false)
  const tabs = new Set(all.filter(isOwn).map(({ tab }) => tab))
  for (const tab of tabs) {
    // Uploads of this very tab are from before another user was signed in here.
    if (navigator.locks && tab !== TAB) void navigator.locks.request(lockOf(tab), () => takeOver(tab))
    else await takeOver(tab)
  }
}

async function readAll(): Promise<KeptUpload[]> {
  return (await tried((database) => database.getAll(STORE))) ?? []
}

/** Makes all changes in one transaction. */
async function change(work: (store: Store) => Promise<unknown>[]): Promise<void> {
  await tried((database) => {
    const { store, done } = database.transaction(STORE, 'readwrite')
    return Promise.all([...work(store), done])
  })
}

/** Ignores failures: without a database in the browser, uploads still work until the next reload. */
async function tried<T>(work: (database: IDBPDatabase<Kept>) => Promise<T>): Promise<T | undefined> {
  try {
    opened ??= openDB(DATABASE, 1, { upgrade: (database) => void database.createObjectStore(STORE, { keyPath: 'id' }) })
    return await work(await opened)
  } catch {
    opened = undefined
    return undefined
  }
}

let opened: Promise<IDBPDatabase<Kept>> | undefined
