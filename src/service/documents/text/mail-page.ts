import { cleanHtml, toAsciiHtml } from './clean-html.ts'
import type { Mail } from './mail.ts'

/** Attachments and characters of a header that are shown. A message with more says how many it has. */
const MAX_ATTACHMENTS = 500
const MAX_HEADER = 4000
export const MAX_BODY = 5 * 1024 ** 2

/** Returns an HTML page, in ASCII, with the headers of a message, its body and the list of its attachments. */
export function mailPage(mail: Mail): string {
  const headers = [
    ['From', mail.from],
    ['To', mail.to],
    ['Cc', mail.cc],
    ['Date', dateWords(mail.date)],
  ].filter(([, value]) => value)
  return [
    '<!DOCTYPE html><html><head><meta charset="us-ascii"></head><body style="font-family: sans-serif; font-size: 10pt">',
    `<p style="font-size: 15pt"><b>${line(mail.subject) || 'No subject'}</b></p>`,
    '<table cellpadding="2" width="100%">',
    ...headers.map(
      ([name = '', value = '']) =>
        `<tr><td width="12%" valign="top" style="color: #666666">${name}</td><td>${line(value)}</td></tr>`,
    ),
    '</table><hr>',
    bodyOf(mail),
    attachmentsOf(mail),
    '</body></html>',
  ].join('\n')
}

function bodyOf({ html, text }: Mail): string {
  const cleaned = cleanHtml(html)
  // Some mails have an HTML part with nothing in it.
  if (/>\s*[^<\s]|^\s*[^<\s]/.test(cleaned)) return `<div>${cleaned}</div>`
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  return `<p>${lines.map((each) => toAsciiHtml(each).replaceAll('  ', '&#160; ')).join('<br>\n')}</p>`
}

function attachmentsOf({ attachments }: Mail): string {
  if (attachments.length === 0) return ''
  const rows = attachments
    .slice(0, MAX_ATTACHMENTS)
    .map(
      ({ name, bytes }) => `<p>${line(name) || 'Without a name'} <font color="#666666">${sizeWords(bytes)}</font></p>`,
    )
  const more = attachments.length - rows.length
  return [
    `<hr><p><b>Attachments (${attachments.length})</b></p>`,
    ...rows,
    more > 0 ? `<p>and ${more} more</p>` : '',
  ].join('\n')
}

/** Line breaks would let one header look like several; direction marks, one name like another. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROLS = /[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g

function line(text: string): string {
  const cut = text.slice(0, MAX_HEADER).toWellFormed()
  return toAsciiHtml(cut.replaceAll(CONTROLS, ' ').trim()) + (text.length > MAX_HEADER ? ' &#8230;' : '')
}

function dateWords(date: string): string {
  const time = Date.parse(date)
  if (Number.isNaN(time)) return date
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const UNITS = ['bytes', 'KB', 'MB', 'GB']

function sizeWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`
}
