import type { AnyEndpoint } from './endpoint.ts'

/** The value in the text of a reply: of JSON lines and of events, the list of them. */
export function readReply({ jsonLines, eventStream }: AnyEndpoint, text: string): unknown {
  if (eventStream) return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as unknown)
  return JSON.parse(jsonLines ? `[${text.trimEnd().replaceAll('\n', ',')}]` : text)
}
