import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { AdministeredOrganization } from '../../access/scopes.ts'
import { digestOf, type Personal, type Sealed, type Shown, sealEntry, valuesOf } from '../../audit/personal.ts'
import type { Db } from '../../db/pool.ts'
import { createSealer, type Sealer } from '../../../signing/sealer.ts'
import type { Vault } from '../../base/secrets.ts'

/** The key of a user; null once their data was erased. */
type PersonKey = Sealer | null

/** Personal data as the chain keeps it: readable only with the key of that user. */
interface Kept {
  of: number
  /** Base64 of `{salt, values}`. */
  sealed: string
}

type Entry = Record<string, unknown>

/** Returns keys by user id, and makes the missing ones. */
export async function ensureKeys(
  db: Db,
  vault: Vault,
  organizationId: number,
  userIds: Iterable<number>,
): Promise<Map<number, PersonKey>> {
  const ids = [...new Set(userIds)].toSorted((a, b) => a - b)
  const known = await findKeys(db, vault, organizationId, ids)
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length === 0) return known
  const sealer = sealerOf(vault)
  await db
    .insertInto('audit_keys')
    .values(
      missing.map((user_id) => ({
        organization_id: organizationId,
        user_id,
        key_sealed: sealer.seal(randomBytes(32).toString('hex')),
      })),
    )
    .onConflict((conflicting) => conflicting.doNothing())
    .execute()
  return findKeys(db, vault, organizationId, ids)
}

/** Returns the keys of users who have or had one. */
export async function findKeys(
  db: Db,
  vault: Vault,
  organizationId: number,
  userIds: readonly number[],
): Promise<Map<number, PersonKey>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('audit_keys')
    .select(['user_id', 'key_sealed'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', sql<number>`any(${userIds}::int[])`)
    .execute()
  const sealer = sealerOf(vault)
  const open = (sealed: Buffer) => createSealer(Buffer.from(sealer.open(sealed), 'hex'))
  return new Map(rows.map(({ user_id, key_sealed }) => [user_id, key_sealed && open(key_sealed)]))
}

/** Makes the personal data of a user in audit records unreadable for good. */
export async function eraseKey(db: Db, organization: AdministeredOrganization, userId: number): Promise<void> {
  const erased = { key_sealed: null, erased_at: new Date() }
  await db
    .insertInto('audit_keys')
    .values({ organization_id: organization.id, user_id: userId, ...erased })
    .onConflict((conflicting) => conflicting.columns(['organization_id', 'user_id']).doUpdateSet(erased))
    .execute()
}

const sealerOf = (vault: Vault) => vault.sealerFor('persons in the audit trail')

/** Splits an entry into the part that is hashed and the personal data, which only the users' keys open. */
export function keepEntry(
  entry: Entry,
  personal: readonly Personal[],
  keys: ReadonlyMap<number, PersonKey>,
): { entry: Entry; personal: Kept[] } {
  const kept: Kept[] = []
  const shown = personal.map((each): Shown => {
    const salt = randomBytes(32).toString('hex')
    const values = valuesOf(entry, each)
    const sealed = keys.get(each.of)?.seal(JSON.stringify({ salt, values })).toString('base64')
    if (sealed !== undefined) kept.push({ of: each.of, sealed })
    return { ...each, salt }
  })
  return { entry: sealEntry(entry, shown), personal: kept }
}

/**
 * Restores an entry for its readers: with the personal data in its place, or with its replacement after an erasure.
 * @throws Error if the data was changed
 */
export function showEntry(
  { personal, ...entry }: Entry & { personal: readonly Sealed[] },
  kept: readonly Kept[],
  keys: ReadonlyMap<number, PersonKey>,
): { entry: Entry; personal: Shown[] } {
  const readable = { ...entry }
  const shown = personal.map(({ of, erased, digest }): Shown => {
    const sealed = kept.find((each) => each.of === of)?.sealed
    const key = keys.get(of)
    const opened = sealed !== undefined && key ? open(key, sealed) : undefined
    if (opened && digestOf(opened.salt, opened.values) !== digest) throw new Error('This is not what was recorded.')
    Object.assign(readable, opened?.values ?? erased)
    return opened ? { of, erased, salt: opened.salt } : { of, erased, digest }
  })
  return { entry: readable, personal: shown }
}

function open(key: Sealer, sealed: string): { salt: string; values: Entry } {
  return JSON.parse(key.open(Buffer.from(sealed, 'base64'))) as { salt: string; values: Entry }
}
