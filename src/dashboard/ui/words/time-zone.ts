let zone: string | undefined

/** Sets the time zone of the signed-in user; undefined stands for that of the browser. */
export function setTimeZone(timeZone: string | undefined) {
  zone = timeZone === '' ? undefined : timeZone
}

export const timeZone = (): string | undefined => zone
