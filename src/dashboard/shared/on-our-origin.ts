/** An expiring URL, taken on our own origin, whose cookie the proxy wants, whatever host the service names. */
export function onOurOrigin(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}
