import { canonical, sha256 } from './chain.ts'

// What an entry says of a person can be erased later without breaking the chain: the hash of a record is made of a digest
// of it. A salt that goes with the erasure keeps anybody from finding it again by trying names.

/** What an entry says of one person: its fields, each with what stands there once that was erased. */
export interface Personal {
  of: number
  erased: Record<string, unknown>
}

/** As the entry that is hashed has it. */
export type Sealed = Personal & { digest: string }
/** As an export shows it: with the salt while the entry shows the data itself, with the digest once it is erased. */
export type Shown = Personal & ({ salt: string; digest?: undefined } | { digest: string; salt?: undefined })

type Entry = Record<string, unknown>

export function digestOf(salt: string, values: Entry): string {
  return sha256(canonical({ salt, values }))
}

/** The fields of an entry that belong to one person. */
export function valuesOf(entry: Entry, { erased }: Personal): Entry {
  return Object.fromEntries(Object.keys(erased).map((field) => [field, entry[field]]))
}

/** The entry that is hashed: digests in place of what it says of persons. */
export function sealEntry(entry: Entry, personal: readonly Shown[]): Entry {
  const left = { ...entry }
  const seals = personal.map(({ of, erased, salt, digest }) => {
    const values = valuesOf(entry, { of, erased })
    for (const field of Object.keys(erased)) delete left[field]
    return { of, erased, digest: salt === undefined ? digest : digestOf(salt, values) }
  })
  return { ...left, personal: seals }
}

/** Whether what was erased shows just what is to stand there. */
export function isErased(entry: Entry, shown: Personal): boolean {
  return canonical(valuesOf(entry, shown)) === canonical(shown.erased)
}
