let userId: number | undefined

/** Sets the user for whom this page sends its calls from now on. */
export function callAs(id: number | undefined): void {
  userId = id
}

/**
 * Tells the proxy whose page sends a call. All tabs share one cookie: once another user has signed in with it, the
 * proxy refuses the calls of this page instead of making them as the other user.
 */
export const signedInAs = (): Record<string, string> =>
  userId === undefined ? {} : { 'x-signed-in-as': String(userId) }
