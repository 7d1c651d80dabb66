import type { StoredFile } from '../../../../shared/uploads/upload.ts'
import { startUploads } from '../../../../shared/uploads/drop/start-uploads.ts'

interface Files {
  userId: number
  workspaceId: number
  folderId: number
  files: readonly File[]
}

/** Puts files into the queue of uploads and waits for them. Files that the user skips or cancels count as failed. */
export async function uploadAll({ files, ...place }: Files): Promise<{ stored: StoredFile[]; failed: number }> {
  await startUploads({ ...place, files: Promise.resolve(files) })
  const { uploads } = await import('../../../../shared/uploads/send/late-uploads.ts')
  const stored = new Map<File, StoredFile>()
  await new Promise<void>((resolve) => {
    const look = () => {
      const own = uploads.snapshot().uploads.filter(({ file }) => file !== undefined && files.includes(file))
      for (const each of own) if (each.file && each.stored) stored.set(each.file, each.stored)
      if (!own.every(({ state }) => state === 'done' || state === 'failed')) return
      stop()
      // The dialog shows them, and the tray would cover the buttons of the answer.
      uploads.cancel(own.filter(({ state }) => state === 'done').map(({ id }) => id))
      resolve()
    }
    const stop = uploads.subscribe(look)
    look()
  })
  return { stored: [...stored.values()], failed: files.length - stored.size }
}
