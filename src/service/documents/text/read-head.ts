import { open } from 'node:fs/promises'

export async function readHead(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path)
  try {
    return await readAt(file, 0, Math.min(maxBytes, (await file.stat()).size))
  } finally {
    await file.close()
  }
}

/** Reads bytes from a position; fewer if the file ends before. */
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
