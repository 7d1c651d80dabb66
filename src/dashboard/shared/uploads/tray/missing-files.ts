import { foldersAbove, type ChosenFile, type Upload } from '../upload.ts'

/** Chromium has `requestPermission`; the types do not yet. */
type AskableHandle = FileSystemFileHandle & {
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
}

export interface Supplied {
  id: number
  file: File
}

/** Returns the missing files that the browser finds again by their handles, if the user permits it. */
export async function findAgain(missing: readonly Upload[]): Promise<Supplied[]> {
  const found: Supplied[] = []
  // One after the other: each file may ask the user for permission, and the first refusal ends the search.
  for (const upload of missing) {
    if (!upload.handle) continue
    const file = await read(upload.handle)
    if (file === 'refused') break
    if (file && isSame(upload, file)) found.push({ id: upload.id, file })
  }
  return found
}

async function read(handle: AskableHandle): Promise<File | 'refused' | undefined> {
  try {
    const asked = await handle.requestPermission?.({ mode: 'read' })
    return asked === 'granted' ? await handle.getFile() : 'refused'
  } catch {
    // The file was moved or deleted.
    return undefined
  }
}

const isSame = (upload: Upload, file: File) => upload.size === file.size && upload.lastModified === file.lastModified

/** Matches the chosen files with missing uploads by name, size and time of change, preferably in the same folder. */
export function matching(missing: readonly Upload[], chosen: readonly ChosenFile[]): Supplied[] {
  const left = Map.groupBy(missing, keyOf)
  return chosen.flatMap((file) => {
    const alike = left.get(keyOf({ fileName: file.name, size: file.size, lastModified: file.lastModified })) ?? []
    const path = foldersAbove(file).join('/')
    const inFolder = alike.findIndex((upload) => upload.path.join('/') === path)
    const [upload] = alike.splice(Math.max(0, inFolder), 1)
    return upload ? [{ id: upload.id, file }] : []
  })
}

const keyOf = ({ fileName, size, lastModified }: Pick<Upload, 'fileName' | 'size' | 'lastModified'>) =>
  [size, lastModified, fileName].join(' ')
