import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { storedName } from '../upload.ts'

type Children = Map<string, Promise<number>>

/**
 * Finds the folders that dropped directories need, and creates the missing ones. Several uploads may ask for the same
 * folder at once; each folder is searched for and created only once.
 */
export class FolderFinder {
  private workspaceId: number
  private children = new Map<number, Promise<Children>>()
  /** The previous search: searches run in turn, so folders are created in the order in which files were added. */
  private turn: Promise<unknown> = Promise.resolve()

  constructor(workspaceId: number) {
    this.workspaceId = workspaceId
  }

  /** Returns the id of the folder to which `path` leads from an existing folder. */
  find(from: number, path: readonly string[]): Promise<number> {
    const found = this.turn.then(() => this.walk(from, path))
    this.turn = found.catch(() => undefined)
    return found
  }

  private async walk(from: number, path: readonly string[]): Promise<number> {
    let folderId = from
    for (const name of path) folderId = await this.child(folderId, storedName(name))
    return folderId
  }

  private async child(parentId: number, name: string): Promise<number> {
    const children = await this.childrenOf(parentId)
    const known = children.get(name)
    if (known) return known
    const created = this.create(parentId, name)
    children.set(name, created)
    // A failed creation may be tried again.
    created.catch(() => children.delete(name))
    return created
  }

  private childrenOf(parentId: number): Promise<Children> {
    const known = this.children.get(parentId)
    if (known) return known
    const read = this.readChildren(parentId)
    this.children.set(parentId, read)
    read.catch(() => this.children.delete(parentId))
    return read
  }

  private async readChildren(parentId: number): Promise<Children> {
    const { immediate_subfolders } = await this.content(parentId)
    return new Map(immediate_subfolders.map(({ name, id }) => [name, Promise.resolve(id)]))
  }

  /** Folder 0 is for admins only; the workspace's home shows everyone the top. */
  private content(id: number) {
    const { workspaceId } = this
    if (id === 0) return call(api.workspaces.home, { params: { id: workspaceId } })
    return call(api.folders.get, { params: { id }, query: { workspace_id: workspaceId } })
  }

  private async create(parentId: number, name: string): Promise<number> {
    const body = { workspace_id: this.workspaceId, name, parent_id: parentId }
    const { id } = await call(api.folders.create, { body })
    this.children.set(id, Promise.resolve(new Map()))
    return id
  }
}
