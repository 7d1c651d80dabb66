export function timesIn(language: 'en' | 'de', timeZone: string): (at: string) => string {
  const locale = language === 'de' ? 'de-DE' : 'en-GB'
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return (at) => inOneLine(dates.format(new Date(at)))
}

export const inOneLine = (text: string): string => text.replaceAll(' ', '\u00a0')
