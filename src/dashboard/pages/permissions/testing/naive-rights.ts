import { FLAGS } from '../../../../contract/endpoints/permissions.ts'
import type { RightsChange } from '../changes/change-rights.ts'
import type { Inverse } from '../changes/inverse.ts'
import type { SheetPage, SheetRow } from '../sheet/folder-tree.ts'
import type { Reading } from '../sheet/permission-sheet.ts'

/** Returns the reading that a query of `permissions.sheet` asks for. */
export const readingOf = ({ below, folder_ids }: { below?: number | undefined; folder_ids: number[] }): Reading =>
  below === undefined ? { folder_ids } : { below }

/** Rights written out folder by folder, directly from the rules (decisions, section 5) and without optimization. */
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

  /** Does the same as `permissions.change`. Returns the exact inverse: all folders of the subtree in order. */
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

  /** Answers like `permissions.sheet` for one group, with at most `size` rows. */
  page(reading: Reading, after?: string, size = Infinity): SheetPage {
    const wanted = this.#parents
      .map((parent, id) => ({ parent, id, path: this.#path(id) }))
      .filter(({ parent, id, path }) =>
        'below' in reading
          ? id === 0
            ? reading.below === 0
            : path.slice(0, -1).includes(reading.below)
          : reading.folder_ids.includes(id === 0 ? 0 : parent),
      )
      .sort((a, b) => comparePaths(a.path, b.path))
    const from = wanted.findIndex(({ path }) => path.join('.') === after) + 1
    const rows = wanted.slice(from, from + size)
    const isLast = from + size >= wanted.length
    return { rows: rows.map(({ id }) => this.#row(id)), next: isLast ? null : (rows.at(-1)?.path.join('.') ?? null) }
  }

  #row(id: number): SheetRow {
    const below = this.#descendants(id)
    const mixed = (flag: (typeof FLAGS)[number]) => {
      const having = below.filter((at) => this.#rights[at]![flag]).length
      return having > 0 && having < below.length
    }
    const packed = FLAGS.reduce((sum, flag, at) => sum | (Number(mixed(flag)) << (at + 3)), this.own(id))
    const parent_id = Math.max(this.#parents[id]!, 0)
    return {
      id,
      parent_id,
      name: id === 0 ? 'All Folders' : `Folder ${id}`,
      index: this.#children(parent_id).indexOf(id) + 1 || 1,
      children: this.#children(id).length,
      rights: [packed],
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

function comparePaths(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((id, place) => id !== b[place])
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}
