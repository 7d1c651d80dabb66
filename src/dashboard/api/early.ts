declare global {
  interface Window {
    /** By path and query; set by public/ask-early.js before this code is there. */
    askedEarly?: Record<string, Promise<Response>>
  }
}

/** Of a page that has been open for longer, what was asked at its beginning may be out of date. */
const EARLY_MS = 10_000

/** The answer to what was asked while the page was loading, once; undefined where there is none or no good one. */
export async function takeEarly(method: string, url: string): Promise<Response | undefined> {
  const answer = window.askedEarly?.[url]
  if (method !== 'GET' || !answer) return undefined
  delete window.askedEarly?.[url]
  if (performance.now() > EARLY_MS) return undefined
  // Without a good one it is asked again, and what is wrong is said then.
  const response = await answer.catch(() => undefined)
  return response?.ok ? response : undefined
}
