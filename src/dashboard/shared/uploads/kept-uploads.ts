import { FRESH, type Upload } from './upload.ts'

// What is not uploaded yet, for after a reload: names, sizes and where the service has it; never the bytes.

const DATABASE = 'strongroom-uploads'
const STORE = 'uploads'

interface KeptUpload {
  id: number
  /** Nobody else sees what one person has begun. */
  userId: number
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

export function keepUploads(userId: number, uploads: readonly Upload[]): Promise<void> {
  return change((store) => {
    for (const upload of uploads) {
      const { id, workspaceId, folderId, path, name, fileName, size, lastModified, handle, uploadId } = upload
      const place = { id, userId, workspaceId, folderId, path, name, fileName }
      store.put({ ...place, size, lastModified, handle, uploadId } satisfies KeptUpload)
    }
  })
}

export function forgetUploads(uploads: readonly Upload[]): Promise<void> {
  return change((store) => {
    for (const { id } of uploads) store.delete(id)
  })
}

export async function recallUploads(userId: number): Promise<Upload[]> {
  let kept: KeptUpload[] = []
  await change((store) => {
    const all = store.getAll() as IDBRequest<KeptUpload[]>
    all.addEventListener('success', () => (kept = all.result))
  })
  return kept
    .filter((each) => each.userId === userId)
    .map((each) => ({ ...FRESH, ...each, file: undefined, state: 'missing' }))
}

/** Without a database in the browser uploads work as well, until the next reload. */
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
