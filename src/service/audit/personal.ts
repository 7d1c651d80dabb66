import { canonical, sha256 } from './chain.ts'

// The personal data of an entry can be erased later without breaking the chain: the hash of a record covers only a
// digest of the data. The salt of the digest is erased as well, so that the data cannot be found again by trying names.

/** The personal data of one user in an entry: its fields, each with its replacement after an erasure. */
export interface Personal {
  of: number
  erased: Record<string, unknown>
}

/** Personal data in the entry that is hashed. */
export type Sealed = Personal & { digest: string }
/** Personal data in an export: with the salt while the entry shows the data, with the digest once it is erased. */
export type Shown = Personal & ({ salt: string; digest?: undefined } | { digest: string; salt?: undefined })

type Entry = Record<string, unknown>

export function digestOf(salt: string, values: Entry): string {
  return sha256(canonical({ salt, values }))
}

/** The fields of an entry that belong to one user. */
export function valuesOf(entry: Entry, { erased }: Personal): Entry {
  return Object.fromEntries(Object.keys(erased).map((field) => [field, entry[field]]))
}

/** Returns the entry that is hashed: with digests in place of personal data. */
export function sealEntry(entry: Entry, personal: readonly Shown[]): Entry {
  const left = { ...entry }
  const seals = personal.map(({ of, erased, salt, digest }) => {
    const values = valuesOf(entry, { of, erased })
    for (const field of Object.keys(erased)) delete left[field]
    return { of, erased, digest: salt === undefined ? digest : digestOf(salt, values) }
  })
  return { ...left, personal: seals }
}

/** Whether erased fields show exactly their replacements. */
export function isErased(entry: Entry, shown: Personal): boolean {
  return canonical(valuesOf(entry, shown)) === canonical(shown.erased)
}
