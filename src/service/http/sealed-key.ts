import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { askForCode, redeemKey } from '../documents/sealed/release-key.ts'
import { refusal } from '../base/errors.ts'
import type { Services } from './context.ts'
import { readBytes, readJson } from './input/read-input.ts'

export const SEALED_KEY_PATH = '/sealed/key'

const base64url = (bytes: number) => z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`))

const asked = z.discriminatedUnion('action', [
  z.object({ action: z.literal('ask'), copy_id: z.uuid(), challenge: base64url(32) }),
  z.object({
    action: z.literal('redeem'),
    copy_id: z.uuid(),
    verifier: base64url(32),
    public_key: base64url(65),
    code: base64url(32).optional(),
  }),
])

/** The longest request takes about 400 bytes. */
const MAX_BYTES = 4096

/**
 * The route by which readers of sealed copies get their keys. It needs no signature and no session: only a reader with
 * the code, the secret behind the challenge and the ephemeral key can use the released key (deploy/sealed-format.md).
 */
export function registerSealedKey(app: FastifyInstance, services: Services): void {
  const handler = async (request: FastifyRequest) => {
    const parsed = asked.safeParse(readJson((await readBytes(request.raw, MAX_BYTES)).toString('utf8')))
    if (!parsed.success) throw refusal('not_a_sealed_request')
    const { data } = parsed
    if (data.action === 'ask') return { status: 'asked', ...(await askForCode(services, data.copy_id, data.challenge)) }
    const { copy_id: copyId, verifier, public_key: publicKey, code } = data
    const released = await redeemKey(services, {
      copyId,
      verifier,
      publicKey,
      code,
      ip: services.clientAddresses.find(request),
    })
    return released === 'pending' ? { status: 'pending' } : { status: 'released', ...released }
  }
  app.route({ method: 'POST', url: SEALED_KEY_PATH, handler })
}
