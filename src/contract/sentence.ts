/** Names of the placeholders of a sentence: 'title' of 'added the file: {title}'. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

/** The parameters of a sentence, as an object that is optional if the sentence has none. */
export type Saying<Text extends string> = [Names<Text>] extends [never]
  ? { params?: undefined }
  : { params: Record<Names<Text>, string> }

/** The parameters of any sentence. */
export type Params = Readonly<Record<string, string>>

export const fill = (sentence: string, params: Params = {}): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')

/** Divides a sentence into text and names of parameters, by turns; the first and the last part are text. */
export const partsOf = (sentence: string): string[] => sentence.split(/\{(\w+)\}/)

/**
 * Reads the parameters of a filled sentence from its end; undefined for another sentence. A parameter has at least one
 * character. A name may contain the text that separates it from the next; the last occurrence is taken for the separator.
 */
export function readParams(parts: readonly string[], filled: string): Params | undefined {
  const params: Record<string, string> = {}
  const tail = parts.at(-1) ?? ''
  if (parts.length === 1) return filled === tail ? params : undefined
  if (!filled.endsWith(tail)) return undefined
  let end = filled.length - tail.length
  for (let at = parts.length - 2; at > 0; at -= 2) {
    const [before = '', name = ''] = parts.slice(at - 1)
    const begin = at > 1 ? filled.lastIndexOf(before, end - 1 - before.length) : filled.startsWith(before) ? 0 : -1
    if (begin < 0 || begin + before.length >= end) return undefined
    params[name] = filled.slice(begin + before.length, end)
    end = begin
  }
  return params
}

/** The parameters of a sentence, as the rest of an argument list. */
export type ParamsArgument<Text extends string> = [Names<Text>] extends [never]
  ? []
  : [params: Record<Names<Text>, string | number>]
