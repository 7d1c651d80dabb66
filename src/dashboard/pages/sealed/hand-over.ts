/** Whether a document waits for the result of this window. */
export const hasDocument = (): boolean => window.opener !== null

/**
 * Gives the one-time code to the document that opened this window, and closes the window. The document is a file
 * without an origin, so any page might listen; without data that only the document has, a code opens nothing.
 */
export function handOver(copyId: string, code: string): void {
  const opener = window.opener as Window | null
  opener?.postMessage({ type: 'strongroom-sealed', copy_id: copyId, code }, '*')
  window.close()
}
