let userId: number | undefined

/** Whose page this is from now on. */
export function callAs(id: number | undefined): void {
  userId = id
}

/**
 * Tells the proxy whose page is asking. All tabs share one cookie: once somebody else has signed in with it, calls of this
 * page are refused instead of being made in the other person's name.
 */
export const signedInAs = (): Record<string, string> =>
  userId === undefined ? {} : { 'x-signed-in-as': String(userId) }
