import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

/** In-memory storage for a test's provider. No entry lives long enough to expire. */
export function createProviderMemory(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>()
  return (model): Adapter => {
    const keyOf = (id: string) => `${model} ${id}`
    const findBy = async (is: (payload: AdapterPayload) => boolean) =>
      [...kept].find(([key, payload]) => key.startsWith(`${model} `) && is(payload))?.[1]
    return {
      upsert: async (id, payload) => void kept.set(keyOf(id), payload),
      find: async (id) => kept.get(keyOf(id)),
      findByUid: (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: (userCode) => findBy((payload) => payload.userCode === userCode),
      consume: async (id) => void Object.assign(kept.get(keyOf(id)) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
      destroy: async (id) => void kept.delete(keyOf(id)),
      async revokeByGrantId(grantId) {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
