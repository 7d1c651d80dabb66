/** Moves an expiring URL from the host that the service names to our own origin, whose cookie the proxy needs. */
export function onOurOrigin(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}
