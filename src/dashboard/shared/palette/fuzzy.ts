/** Below this score the letters are merely scattered over the text. */
export const GOOD = 70

/** Scores how well a text fits the typed letters, higher is better; undefined unless it has them in their order. */
export function fit(text: string, typed: string): number | undefined {
  const [whole, wanted] = [plain(text), plain(typed).trim()]
  if (wanted === '') return 0
  const shortness = 20 / (20 + whole.length)
  const at = whole.indexOf(wanted)
  if (at === 0) return 150 + shortness
  if (at > 0 && isStart(whole, at)) return 130 + shortness
  const words = wanted.split(/\s+/)
  if (words.length > 1 && words.every((word) => whole.includes(word))) return 100 + shortness
  const runs = runsOf(whole, wanted.replaceAll(/\s+/g, ''))
  if (!runs) return undefined
  if (runs.every((run) => isStart(whole, run))) return 90 + shortness
  return (at > 0 ? GOOD : 40 / runs.length) + shortness
}

/** Returns the items that fit, best first; items with equal scores keep their order. */
export function bestFits<T>(all: readonly T[], typed: string, textOf: (each: T) => string): T[] {
  const fits = all.flatMap((each) => {
    const how = fit(textOf(each), typed)
    return how === undefined ? [] : [{ each, how }]
  })
  return fits.toSorted((a, b) => b.how - a.how).map(({ each }) => each)
}

/** Removes accents and case, so that "ubersicht" finds "Übersicht". */
const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

const isStart = (text: string, at: number) => at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '')

/** Finds the letters in the text in their order, preferably at starts of words, and returns where each run begins. */
function runsOf(text: string, letters: string): number[] | undefined {
  const runs: number[] = []
  let at = -2
  for (const letter of letters) {
    const from = Math.max(0, at + 1)
    const next = text[at + 1] === letter ? at + 1 : (startFrom(text, letter, from) ?? text.indexOf(letter, from))
    if (next < 0) return undefined
    if (next !== at + 1) runs.push(next)
    at = next
  }
  return runs
}

function startFrom(text: string, letter: string, from: number): number | undefined {
  for (let at = from; at < text.length; at += 1) if (text[at] === letter && isStart(text, at)) return at
  return undefined
}
