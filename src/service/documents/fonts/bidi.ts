import bidiFactory, { type Bidi } from 'bidi-js'

/** The package's types declare an ES module, but Node does not load it as one. */
const bidi = (bidiFactory as unknown as () => Bidi)()

/** Returns the level of each UTF-16 code unit of a paragraph, and its direction. Odd levels read from right to left. */
export function embeddingLevels(text: string): { levels: Uint8Array; isRtl: boolean } {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, 'auto')
  return { levels, isRtl: (paragraphs[0]?.level ?? 0) % 2 === 1 }
}

/** Rule L2 of the Unicode bidirectional algorithm, for runs: from the highest level down, reverses runs at or above. */
export function inVisualOrder<Run extends { level: number }>(runs: readonly Run[]): Run[] {
  const ordered = [...runs]
  const highest = runs.reduce((most, { level }) => Math.max(most, level), 0)
  for (let level = highest; level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while ((ordered[end]?.level ?? -1) >= level) end++
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed())
      start = end
    }
  }
  return ordered
}
