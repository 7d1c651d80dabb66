import type { EntryKey } from '../../../shared/listing/entries.ts'

interface Happening {
  target: EventTarget
}

/** Returns the line of the list in which an event happened. */
export function keyUnder({ target }: Happening): EntryKey | undefined {
  return (target as Element).closest<HTMLElement>('[data-key]')?.dataset['key'] as EntryKey | undefined
}

/** Returns the folder of the tree in which an event happened. */
export function folderUnder({ target }: Happening): number | undefined {
  const id = (target as Element).closest<HTMLElement>('[data-folder]')?.dataset['folder']
  return id === undefined ? undefined : Number(id)
}
