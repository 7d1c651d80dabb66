import { foldersAbove, type ChosenFile, type Upload } from './upload.ts'

/** Chromium has it; the types do not yet. */
type AskableHandle = FileSystemFileHandle & {
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
}

export interface Supplied {
  id: number
  file: File
}

/** Of the missing ones those that the browser finds again by itself, where the person allows it. */
export async function findAgain(missing: readonly Upload[]): Promise<Supplied[]> {
  const found: Supplied[] = []
  // One after the other: each may ask the person, who says no once.
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
    // It was moved or deleted.
    return undefined
  }
}

const isSame = (upload: Upload, file: File) => upload.size === file.size && upload.lastModified === file.lastModified

/** Of the missing ones those that are among the chosen files, by name, size and time of change, in its folder first. */
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
