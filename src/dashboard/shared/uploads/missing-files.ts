import { naturally } from '../../ui/format.ts'
import type { Upload } from './upload.ts'

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
  // One after the other: each may ask the person.
  for (const upload of missing) {
    const file = await read(upload)
    if (file && isSame(upload, file)) found.push({ id: upload.id, file })
  }
  return found
}

async function read({ handle }: Upload): Promise<File | undefined> {
  try {
    const asked = await (handle as AskableHandle | undefined)?.requestPermission?.({ mode: 'read' })
    return asked === 'granted' ? await handle?.getFile() : undefined
  } catch {
    // It was moved or deleted, or the person said no.
    return undefined
  }
}

/** Of the missing ones those that are among the chosen files, by name, size and time of change. */
export function matching(missing: readonly Upload[], chosen: readonly File[]): Supplied[] {
  const left = [...missing].toSorted((one, other) => naturally(one.name, other.name))
  return chosen.flatMap((file) => {
    const at = left.findIndex((upload) => isSame(upload, file) && upload.fileName === file.name)
    const [upload] = at === -1 ? [] : left.splice(at, 1)
    return upload ? [{ id: upload.id, file }] : []
  })
}

const isSame = (upload: Upload, file: File) => upload.size === file.size && upload.lastModified === file.lastModified
