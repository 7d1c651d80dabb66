import { outlookFile } from '../outlook-file.ts'
import { LANGUAGES, sample, type Sample } from './sample.ts'

type Lines = (typeof LANGUAGES)[string]

const page = ([title, sentence, item]: Lines): string =>
  `<h1>${title}</h1><p>${sentence}</p><table><tr><th>A</th><th>B</th></tr><tr><td>${item}</td><td>7</td></tr></table>`

const mail = (subject: string, type: string, body: string): string =>
  `From: a@example.com\r\nSubject: =?utf-8?b?${Buffer.from(subject).toString('base64')}?=\r\nMIME-Version: 1.0\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(body).toString('base64')}\r\n`

const WRITERS: Record<string, (lines: Lines) => Buffer | string> = {
  txt: (lines) => lines.join('\n'),
  md: ([title, sentence, item]) => `# ${title}\n\n**${sentence}**\n\n* ${item}\n\n| a | b |\n|---|--:|\n| c | 1 |\n`,
  html: (lines) => `<!doctype html><meta charset="utf-8">${page(lines)}`,
  csv: ([title, sentence, item]) => `Number,Text\n1,"${title}, ${sentence}"\n2,${item}\n`,
  json: ([title, sentence, item]) => JSON.stringify({ title, sentence, items: [item, 17.5, null] }),
  eml: ([title, ...rest]) => mail(title, 'text/plain', rest.join('\n')),
  msg: ([subject, ...rest]) => outlookFile({ subject, body: rest.join('\r\n') }),
}

/** Texts in each language, and in encodings and shapes of older programs. */
export function textSamples(): Sample[] {
  const each = Object.entries(LANGUAGES).flatMap(([language, lines]) =>
    Object.entries(WRITERS).map(([extension, write]) =>
      sample(`${language}.${extension}`, write(lines), lines.join(' '), 1),
    ),
  )
  return [...each, ...encoded(), ...shaped()]
}

const linesOf = (language: string): Lines => LANGUAGES[language] ?? ['', '', '']
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

function encoded(): Sample[] {
  const [german, russian] = [linesOf('German').join('\n'), linesOf('Russian').join('\n')]
  return [
    sample('utf16.txt', utf16(russian), russian, 1),
    sample('utf16.csv', utf16(`a,b\n${russian.replaceAll('\n', ',')}`), russian, 1),
    sample('mark.txt', `\ufeff${german}`, german, 1),
    sample('latin.txt', Buffer.from(german, 'latin1'), german, 1),
    sample('latin.csv', Buffer.from(`a;b\n${german.replaceAll('\n', ';')}`, 'latin1'), german, 1),
    sample('latin.html', Buffer.from(`<meta charset="iso-8859-1"><p>${german}`, 'latin1'), german, 1),
    sample(
      'latin.xml',
      Buffer.from(`<?xml version="1.0" encoding="iso-8859-1"?><a><b>${german}</b></a>`, 'latin1'),
      german,
      1,
    ),
  ]
}

function shaped(): Sample[] {
  const lines = linesOf('Polish')
  const text = lines.join(' ')
  const archive = `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${page(lines)}\r\n--x\r\nContent-Type: image/png\r\n\r\nabc\r\n--x--\r\n`
  const rows = Array.from({ length: 200 }, (_, at) => `${at},word${at},${at * 1.5}`)
  const wide = Array.from({ length: 60 }, (_, at) => `column${at}`)
  return [
    sample('page.eml', mail('Saved', 'text/html', page(lines)), `Saved ${text}`, 1),
    sample(
      'page.msg',
      outlookFile({ subject: 'Saved', html: page(linesOf('English')) }),
      linesOf('English').join(' '),
      1,
    ),
    sample('archive.mhtml', archive, text, 1),
    sample('archive.mht', archive, text, 1),
    sample('table.tsv', lines.join('\t'), text, 1),
    sample('long.csv', `Number,Word,Sum\n${rows.join('\n')}`, 'word0 word199'),
    sample('wide.csv', `${wide.join(',')}\n${wide.join(',')}`, 'column0 column59'),
    sample('long.txt', rows.join('\n'), 'word0 word199'),
    sample('program.log', '2026-01-02 03:04:05 INFO started\n2026-01-02 03:04:06 WARN slow\n', 'started slow', 1),
    sample('README', lines.join('\n'), text, 1),
    sample('feed.xml', `<?xml version="1.0"?><feed><entry>${text}</entry></feed>`, text, 1),
    sample('page.htm', `<html><body>${lines.map((line) => `<div>${line}</div>`).join('')}</body></html>`, text, 1),
  ]
}
