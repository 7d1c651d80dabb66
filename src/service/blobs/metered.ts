import { isRecording, record } from '../../wire/metrics/record.ts'
import type { BlobStore } from './blob-store.ts'

export function metered(store: BlobStore): BlobStore {
  if (!isRecording()) return store
  const read = (bytes: number) => record('blob_bytes_total', { direction: 'read' }, bytes)
  return {
    ...store,
    async write(content, maxBytes) {
      const stored = await store.write(content, maxBytes)
      record('blob_bytes_total', { direction: 'written' }, stored.size)
      return stored
    },
    async read(blobId) {
      const stream = await store.read(blobId)
      const push = stream.push.bind(stream)
      // A listener for data would make the stream flow before its reader is ready.
      stream.push = (chunk: Buffer | null, encoding) => {
        if (chunk) read(chunk.length)
        return push(chunk, encoding)
      }
      return stream
    },
    async open(blobId, range) {
      const opened = await store.open(blobId, range)
      if (!opened) return undefined
      return {
        ...opened,
        async read(into, position) {
          const bytes = await opened.read(into, position)
          read(bytes)
          return bytes
        },
      }
    },
  }
}
