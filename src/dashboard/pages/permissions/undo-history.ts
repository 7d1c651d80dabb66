/** Something that was done and can be taken back. */
export interface Done {
  text: string
  /** Whether a right of a group on a folder is among what would be set back. */
  concerns: (groupId: number, folderId: number) => boolean
  undo: () => Promise<void>
}

const LIMIT = 50

/** What was done on a sheet, to be taken back one by one, the newest first. */
export class UndoHistory {
  #done: Done[] = []

  get last(): Done | undefined {
    return this.#done.at(-1)
  }

  add(done: Done): void {
    this.#done = [...this.#done, done].slice(-LIMIT)
  }

  /** Takes it out, and what was done after it: nobody knows how that was without it. Answers whether it was there. */
  drop(done: Done): boolean {
    const at = this.#done.indexOf(done)
    if (at !== -1) this.#done = this.#done.slice(0, at)
    return at !== -1
  }

  /** Somebody else changed a right: what was there before that is not what anybody wants back. */
  forget(groupId: number, folderId: number): void {
    this.#done = this.#done.filter(({ concerns }) => !concerns(groupId, folderId))
  }
}
