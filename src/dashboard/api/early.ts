declare global {
  interface Window {
    /** Replies by path and query, which public/start.js asks for. */
    askedEarly?: Record<string, Promise<Response>>
  }
}

/** Once a page has been open for longer, its early replies may be stale. */
const EARLY_MS = 10_000

/** Returns the reply to a request sent while the page was loading, once; undefined without a reply or a refusal of the user. */
export async function takeEarly(method: string, url: string): Promise<Response | undefined> {
  const answer = window.askedEarly?.[url]
  if (method !== 'GET' || !answer) return undefined
  delete window.askedEarly?.[url]
  if (performance.now() > EARLY_MS) return undefined
  // After other failures the caller sends the request again, which then reports the error.
  const response = await answer.catch(() => undefined)
  return response?.ok || response?.status === 403 ? response : undefined
}
