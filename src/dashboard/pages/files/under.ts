import type { EntryKey } from './entries.ts'

interface Happening {
  target: EventTarget
}

/** The line of the list an event happened in. */
export function keyUnder({ target }: Happening): EntryKey | undefined {
  return (target as Element).closest<HTMLElement>('[data-key]')?.dataset['key'] as EntryKey | undefined
}

/** The folder of the tree an event happened in. */
export function folderUnder({ target }: Happening): number | undefined {
  const id = (target as Element).closest<HTMLElement>('[data-folder]')?.dataset['folder']
  return id === undefined ? undefined : Number(id)
}
