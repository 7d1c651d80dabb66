/** A failure reported to the caller in the contract's shape. Any other error is a 500. */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Record<string, string>

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** Same wording as the service, so that a refusal does not reveal which of the two answered. */
export const notFound = () => new Refusal(404, 'There is nothing here that you can see.')
export const signedOut = () => new Refusal(401, 'Sign in to continue.')
export const tooMany = (seconds: number) =>
  new Refusal(429, 'Too many attempts. Try again later.', { 'Retry-After': String(seconds) })
export const wrongMethod = (allowed: string) => new Refusal(405, `This path takes ${allowed}.`, { Allow: allowed })
export const serviceAway = () =>
  new Refusal(502, 'The service cannot be reached. Try again in a moment.', { 'Retry-After': '1' })
/** The service answers, but its database is away. */
export const serviceUnavailable = (seconds: number) =>
  new Refusal(503, 'The service is not available at the moment. Try again shortly.', { 'Retry-After': String(seconds) })
export const serviceSlow = () => new Refusal(504, 'The service did not answer in time.')
export const locked = (seconds: number) =>
  new Refusal(429, `Too many wrong codes were entered for this address. Try again ${inWords(seconds)}.`, {
    'Retry-After': String(seconds),
  })

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
}
