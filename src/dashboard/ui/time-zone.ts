let zone: string | undefined

/** The time zone of the signed-in person; until then the browser's. */
export function setTimeZone(timeZone: string | undefined) {
  zone = timeZone === '' ? undefined : timeZone
}

export const timeZone = (): string | undefined => zone
