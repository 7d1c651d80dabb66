/** The number of the folder or file at a place in a folder: "2.3" and 1 give "2.3.1". */
export const outlineAt = (above: string, place: number): string => (above === '' ? String(place) : `${above}.${place}`)

/** The last number of an outline. */
export const placeIn = (outline: string): number => Number(outline.slice(outline.lastIndexOf('.') + 1))

const LEADING = /^(\d+(?:\.\d+)*)([.):]?[ _]+(?:[–-][ _]+)?)(?=[^ _])/u

/**
 * A name without a number at its beginning that its outline replaces: one of another index, whose length is known, or one
 * that the outline says anyway. "3 years" keeps its 3 in "2.3", where only "3. Years", "03 Years" and the like are numbered.
 * The function `without_number` of the database does the same.
 */
export function withoutNumber(name: string, outline: string, numberLength = 0): string {
  if (numberLength > 0 && outline !== '') return name.slice(numberLength)
  const [found = '', digits = '', end = ''] = LEADING.exec(name) ?? []
  const number = digits.replace(/(^|\.)0+(?=\d)/g, '$1')
  const isMarked = number !== digits || /[.):_–-]/.test(end)
  const isSame = number === outline || (isMarked && number === String(placeIn(outline)))
  return number !== '' && isSame ? name.slice(found.length) : name
}
