import type { StoredFile } from '../upload.ts'

export function storedFile(name: string, version = 1): StoredFile {
  return {
    id: 1,
    title: name,
    file_name: name,
    file_size: '1',
    file_content_type: 'application/pdf',
    kind: 'pdf',
    index: 1,
    created_at: '2026-11-20T09:00:00.000Z',
    updated_at: '2026-11-20T09:00:00.000Z',
    folder_id: 5,
    version,
    pages: 0,
    infected: null,
    damaged: false,
    viewer_status: 'Pending',
  }
}
