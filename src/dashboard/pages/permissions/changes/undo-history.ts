/** A change that was made and can be undone. */
export interface Done {
  text: string
  /** Whether an undo would set a right of the group on the folder. */
  concerns: (groupId: number, folderId: number) => boolean
  undo: () => Promise<void>
}

const LIMIT = 50

/** The changes made on a sheet, to be undone one by one, the newest first. */
export class UndoHistory {
  #done: Done[] = []

  get last(): Done | undefined {
    return this.#done.at(-1)
  }

  add(done: Done): void {
    this.#done = [...this.#done, done].slice(-LIMIT)
  }

  /** Removes a change and all later ones, which build on it. Returns whether the change was there. */
  drop(done: Done): boolean {
    const at = this.#done.indexOf(done)
    if (at !== -1) this.#done = this.#done.slice(0, at)
    return at !== -1
  }

  /** Drops changes to a right that another user has changed since: undoing them would overwrite that user's change. */
  forget(groupId: number, folderId: number): void {
    this.#done = this.#done.filter(({ concerns }) => !concerns(groupId, folderId))
  }
}
