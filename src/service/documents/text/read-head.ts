import { open } from 'node:fs/promises'

/** The first bytes of a file, all of it where it has no more. */
export async function readHead(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path)
  try {
    return await readAt(file, 0, Math.min(maxBytes, (await file.stat()).size))
  } finally {
    await file.close()
  }
}

/** Bytes from a place on; fewer where the file ends. */
export async function readAt(
  file: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
