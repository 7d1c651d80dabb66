/** Pseudorandom values, the same for the same seed. */
export interface Random {
  below(limit: number): number
  bytes(size: number): Uint8Array<ArrayBuffer>
  weighted<T extends readonly [weight: number, ...unknown[]]>(choices: readonly T[]): T
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit) => Math.floor(next() * limit),
    bytes: (size) => Uint8Array.from({ length: size }, () => next() * 256),
    weighted(choices) {
      let rest = next() * choices.reduce((sum, [weight]) => sum + weight, 0)
      for (const choice of choices) if ((rest -= choice[0]) < 0) return choice
      return choices.at(-1)!
    },
  }
}
