/** Names of the placeholders of a sentence: 'title' of 'added the file: {title}'. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

/** The parameters of a sentence, as an object that is optional if the sentence has none. */
export type Saying<Text extends string> = [Names<Text>] extends [never]
  ? { params?: undefined }
  : { params: Record<Names<Text>, string> }

/** The parameters of any sentence. */
export type Params = Readonly<Record<string, string>>

/** Fills the placeholders of an English sentence. */
export const fill = (sentence: string, params: Params = {}): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')

/** The parameters of a sentence, as the rest of an argument list. */
export type ParamsArgument<Text extends string> = [Names<Text>] extends [never]
  ? []
  : [params: Record<Names<Text>, string | number>]
