import type { Rate } from './rate-limit.ts'

const atMost = (count: number, minutes: number): Rate => ({ count, periodMs: minutes * 60_000, burst: count })

/**
 * What clients may do before they are signed in, for each client address or e-mail address. A proxy refuses more by
 * itself, so that a flood does not reach the service, which counts for all proxies together.
 */
export const SIGN_IN_RATES = {
  codesByClient: atMost(20, 15),
  codesForAddress: atMost(5, 15),
  attemptsByClient: atMost(60, 60),
  invitationsByClient: atMost(60, 15),
} satisfies Record<string, Rate>
