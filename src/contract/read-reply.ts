import type { AnyEndpoint } from './endpoint.ts'

/** Parses the text of a reply; JSON lines and events become a list. */
export function readReply(
  { jsonLines, eventStream }: Pick<AnyEndpoint, 'jsonLines' | 'eventStream'>,
  text: string,
): unknown {
  if (eventStream) return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as unknown)
  return JSON.parse(jsonLines ? `[${text.trimEnd().replaceAll('\n', ',')}]` : text)
}
