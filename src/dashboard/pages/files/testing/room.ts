import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import { NO_REASON, workspace } from '../../../testing/samples.ts'
import {
  nameOfFolder,
  type Abilities,
  type FileCompact,
  type FolderContent,
  type FolderMeta,
} from '../../../shared/listing/entries.ts'
import { contentOf, fileNamed, folderNamed } from './entries.ts'

type TrashItem = Reply<typeof api.trash.list>[number]
type FileMapped = Reply<typeof api.files.get>

/** A room with Corporate, Finance (with Audited accounts and two files) and Legal. Corporate and Legal are empty. */
export class SmallRoom {
  folders: FolderMeta[] = [
    folderNamed(1, 'Corporate', { index: 1 }),
    folderNamed(2, 'Finance', { index: 2, children: 1 }),
    folderNamed(3, 'Legal', { index: 3 }),
    folderNamed(21, 'Audited accounts', {
      index: 1,
      parent_id: 2,
      parent_path: '/Finance',
      path: '/Finance/Audited accounts',
      id_path: '0.2.21',
      outline: '2.1',
    }),
  ]
  files: FileCompact[] = [
    fileNamed(7, 'Board minutes.pdf', { index: 1, outline: '2.2', folder_id: 2, pages: 94, file_size: '4404019' }),
    fileNamed(8, 'Cap table.xlsx', { index: 2, outline: '2.3', folder_id: 2, kind: 'spreadsheet' }),
  ]
  abilities: Partial<Abilities> = {}
  trash: TrashItem[] = []

  content(id: number): FolderContent {
    const folders = this.folders.filter((folder) => folder.parent_id === id)
    const files = this.files.filter((file) => file.folder_id === id)
    const content = contentOf(folders, files, this.abilities)
    const folder = this.folders.find((each) => each.id === id)
    return folder ? { ...content, folder, numbered_path: this.numberedPath(folder) } : content
  }

  private numberedPath(folder: FolderMeta): string {
    const above = this.folders.find(({ id }) => id === folder.parent_id)
    return `${above ? this.numberedPath(above) : ''}/${nameOfFolder(folder)}`
  }

  /** Fakes the API of the room for an admin or a member. */
  serve({ admin = true } = {}) {
    return fakeApi()
      .on(api.workspaces.get, { ...workspace(), id: 5, name: 'Project Harbour', admin })
      .on(api.workspaces.home, () => this.content(0))
      .on(api.groups.list, [])
      .on(api.drafts.list, { drafts: [], groups: [], schedule: null })
      .on(api.stagedRights.list, { changes: [], digest: '' })
      .on(api.folders.get, ({ params }) => this.content(params.id))
      .on(api.files.get, ({ params }) => this.file(params.id))
      .on(api.files.versions, [])
      .on(api.folders.update, ({ params, body }) => {
        const before = this.folders.find(({ id }) => id === params.id) ?? folderNamed(params.id, '')
        const after = { ...before, name: body.folder.name ?? before.name }
        this.folders = this.folders.map((folder) => (folder.id === params.id ? after : folder))
        return after
      })
      .on(api.folders.create, ({ body }) => {
        const made = folderNamed(40, body.name, { index: 9, parent_id: body.parent_id })
        this.folders.push(made)
        return made
      })
      .on(api.folders.remove, ({ params }) => {
        this.trash.unshift(...this.folders.filter(({ id }) => id === params.id).map(deletionOf))
        this.folders = this.folders.filter(({ id }) => id !== params.id)
        return { id: params.id, deleted: 1 }
      })
      .on(api.trash.list, () => this.trash)
      .on(api.trash.restore, ({ params }) => {
        const item = this.trash.find(({ deletion_id }) => deletion_id === params.deletion_id)
        this.trash = this.trash.filter((each) => each !== item)
        this.folders = [...this.folders, folderNamed(item?.id ?? 0, item?.name ?? '', { index: item?.id ?? 0 })]
        const { id, name } = item ?? { id: 0, name: '' }
        return { message: 'restored', type: 'folder' as const, id, name, folder_id: 0, outcome: 'done' as const }
      })
      .on(api.files.remove, ({ params }) => {
        this.files = this.files.filter(({ id }) => id !== params.id)
        return { id: params.id, deleted: '2026-11-20T09:00:00.000Z' }
      })
      .on(api.files.move, ({ params, body }) => {
        this.files = this.files.map((file) =>
          file.id === params.id ? { ...file, folder_id: body.destination_folder_id } : file,
        )
        return {
          message: 'moved',
          success: 'true' as const,
          ...this.file(params.id),
          outcome: 'done' as const,
          undo_id: params.id,
        }
      })
  }

  private file(id: number): FileMapped {
    const found = this.files.find((file) => file.id === id) ?? fileNamed(id, 'Gone')
    const viewer_image = {
      status: 'Unsupported',
      page_number: 1,
      expiring_url: '',
      expiring_thumbnail_url: '',
      ...NO_REASON,
    } as const
    return { ...found, viewer_image, sha256: 'ab'.repeat(32) }
  }
}

const deletionOf = ({ id, name, parent_path }: FolderMeta): TrashItem => ({
  deleted_by_id: 1,
  deleted_by_name: 'Alice Adams',
  kind: null,
  deletion_id: `b2830056-6d5f-49f3-940c-${String(id).padStart(12, '0')}`,
  type: 'folder',
  id,
  name,
  file_name: '',
  path: parent_path,
  numbered_path: parent_path,
  in_place: true,
  of_gone_draft: false,
  folder_id: 0,
  folders: 1,
  files: 0,
  size: '0',
  deleted_at: '2026-11-20T09:00:00.000Z',
  purged_at: '2026-12-20T09:00:00.000Z',
})
