import { FLAGS } from '../../../../contract/permissions.ts'
import type { RightsChange } from '../change-rights.ts'
import type { Inverse } from '../inverse.ts'
import type { PermissionEntry } from '../folder-tree.ts'

/** Rights written out folder by folder, as the rules say them (decisions, section 5) and without any cleverness. */
export class NaiveRights {
  readonly #parents: number[]
  readonly #rights: Record<(typeof FLAGS)[number], boolean>[]

  /** `parents[n]` is the parent of folder n + 1; folder 0 is All Folders. */
  constructor(parents: number[]) {
    this.#parents = [-1, ...parents]
    this.#rights = this.#parents.map(() => ({ view: false, download: false, upload: false }))
  }

  apply({ folderId, verb, flag }: RightsChange): void {
    for (const id of [folderId, ...this.#descendants(folderId)]) {
      const rights = this.#rights[id]!
      rights[flag] = verb === 'grant'
      if (verb === 'grant') rights.view = true
      if (verb === 'revoke' && flag === 'view') rights.download = rights.upload = false
    }
  }

  /** As `permissions.change` does and answers: what brings back exactly what was, all folders of the subtree in order. */
  change(changes: Inverse): Inverse {
    return changes
      .map((change) => this.#changeOne(change))
      .toReversed()
      .flat()
  }

  #changeOne({ folder_id, group_id, rights }: Inverse[number]): Inverse {
    const subtree = [folder_id, ...this.#descendants(folder_id)]
    const former = subtree.map((id) => ({ folder_id: id, group_id, rights: { ...this.#rights[id]! } }))
    for (const flag of FLAGS.toReversed()) {
      const value = rights?.[flag]
      if (value !== undefined) this.apply({ folderId: folder_id, verb: value ? 'grant' : 'revoke', flag })
    }
    return former
  }

  own(id: number): number {
    const { view, download, upload } = this.#rights[id]!
    return Number(view) + 2 * Number(download) + 4 * Number(upload)
  }

  /** As `permissions.list` answers. */
  list(id: number): PermissionEntry[] {
    const level = this.#children(id).map((child, place) => this.#entry(child, place + 1))
    return id === 0 ? [this.#entry(0, 1), ...level] : level
  }

  #entry(id: number, place: number): PermissionEntry {
    const below = this.#descendants(id)
    const mixed = (flag: (typeof FLAGS)[number]) => {
      const having = below.filter((at) => this.#rights[at]![flag]).length
      return having > 0 && having < below.length
    }
    return {
      id,
      id_tree: 0,
      name: id === 0 ? 'All Folders' : `Folder ${id}`,
      ...this.#rights[id]!,
      position: place,
      index: place,
      is_mixed_view: mixed('view'),
      is_mixed_download: mixed('download'),
      is_mixed_upload: mixed('upload'),
      id_path: this.#path(id).join('.'),
      outline: '',
      parent_id: Math.max(this.#parents[id]!, 0),
      children: this.#children(id).length,
    }
  }

  #path(id: number): number[] {
    return id === 0 ? [0] : [...this.#path(this.#parents[id]!), id]
  }

  #children(id: number): number[] {
    return this.#parents.flatMap((parent, at) => (parent === id ? [at] : []))
  }

  #descendants(id: number): number[] {
    return this.#children(id).flatMap((child) => [child, ...this.#descendants(child)])
  }
}
