import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { docx, odf, paragraph, visio, xlsx } from '../office-files.ts'
import { LANGUAGES, sample, type Sample } from './sample.ts'

const run = promisify(execFile)

const NAMESPACES = [
  ...['office', 'style', 'text', 'table'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  ),
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
].join(' ')
const STYLES =
  '<office:automatic-styles><style:style style:name="new" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style><style:style style:name="wide" style:family="table-column"><style:table-column-properties style:column-width="14cm"/></style:style><style:page-layout style:name="a4"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm"/><style:header-style/></style:page-layout></office:automatic-styles>'

const flat = (kind: string, body: string, header = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.${kind}">${STYLES}<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="a4">${header}</style:master-page></office:master-styles><office:body><office:${kind === 'graphics' ? 'drawing' : kind}>${body}</office:${kind === 'graphics' ? 'drawing' : kind}></office:body></office:document>`
const cell = (text: string) =>
  `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
const row = (text: string) => `<table:table-row>${cell(text)}</table:table-row>`
const frame = (text: string) =>
  `<draw:page><draw:frame svg:x="1cm" svg:y="2cm" svg:width="16cm" svg:height="3cm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`

interface Source {
  pages: number
  write: (lines: (typeof LANGUAGES)[string]) => string
  extensions: readonly string[]
}

/** Flat documents, from which LibreOffice makes all other formats. */
const SOURCES: Record<string, Source> = {
  fodt: {
    pages: 2,
    write: ([title, sentence, item]) =>
      flat(
        'text',
        `<text:h text:outline-level="1">${title}</text:h><text:p>${sentence}</text:p><text:p text:style-name="new">kittiwake</text:p><table:table table:name="T"><table:table-column table:number-columns-repeated="2"/><table:table-row>${cell(item)}${cell('fulmar')}</table:table-row></table:table>`,
        '<style:header><text:p>guillemot</text:p></style:header>',
      ),
    extensions: ['docx', 'odt', 'doc', 'rtf', 'pdf', 'ott', 'dotx', 'fodt'],
  },
  fods: {
    pages: 2,
    write: ([title, sentence, item]) =>
      flat(
        'spreadsheet',
        `<table:table table:name="guillemot"><table:table-column table:style-name="wide"/>${[title, 'kittiwake', sentence].map(row).join('')}<table:table-row><table:table-cell office:value-type="float" office:value="17"><text:p>17</text:p></table:table-cell></table:table-row></table:table><table:table table:name="fulmar"><table:table-column table:style-name="wide"/>${row(item)}</table:table>`,
      ),
    extensions: ['xlsx', 'ods', 'xls', 'ots', 'xltx', 'fods'],
  },
  fodp: {
    pages: 3,
    write: ([title, sentence, item]) =>
      flat('presentation', frame(title) + frame(`${sentence} kittiwake`) + frame(item)),
    extensions: ['pptx', 'odp', 'ppt', 'ppsx', 'potx', 'otp', 'fodp'],
  },
  fodg: {
    pages: 1,
    write: (lines) => flat('graphics', frame(lines.join(' '))),
    extensions: ['odg', 'otg', 'fodg', 'emf', 'wmf'],
  },
}
const MORE_WORDS: Record<string, string> = {
  fodt: 'kittiwake fulmar guillemot',
  fods: 'kittiwake',
  fodp: 'kittiwake',
  fodg: '',
}

/** Glyphs of metafiles have no order of reading that a reader could restore, in scripts with ligatures or marks. */
const METAFILES = ['emf', 'wmf']
const IN_METAFILES = ['English', 'German', 'French', 'Russian']

/**
 * Documents as LibreOffice writes them, in a folder for this alone: each format in one language, or in all.
 * Without LibreOffice, none.
 */
export async function officeSamples(folder: string, extent: 'each format' | 'each language'): Promise<Sample[]> {
  const names = Object.keys(LANGUAGES)
  let turn = 0
  const chosenFor = (extension: string): string[] => {
    if (METAFILES.includes(extension)) return extent === 'each format' ? IN_METAFILES.slice(0, 1) : IN_METAFILES
    return extent === 'each language' ? names : [names[turn++ % names.length] ?? 'English']
  }
  const made: Sample[] = []
  for (const [from, source] of Object.entries(SOURCES)) {
    for (const language of names)
      await writeFile(join(folder, `${language}.${from}`), source.write(LANGUAGES[language] ?? ['', '', '']))
    for (const extension of source.extensions) {
      const languages = chosenFor(extension)
      const to = join(folder, extension)
      await mkdir(to, { recursive: true })
      await exportAs(
        folder,
        to,
        extension,
        languages.map((language) => `${language}.${from}`),
      )
      for (const language of languages) {
        const words = `${LANGUAGES[language]?.join(' ')} ${MORE_WORDS[from]}`
        made.push(
          sample(`${language}.${extension}`, await readFile(join(to, `${language}.${extension}`)), words, source.pages),
        )
      }
    }
  }
  return made
}

async function exportAs(folder: string, to: string, extension: string, files: readonly string[]): Promise<void> {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  await run('soffice', [profile, '--headless', '--convert-to', extension, '--outdir', to, ...files], { cwd: folder })
}

/** Documents without what programs write around the content. */
export const bareOfficeSamples = (): Sample[] => [
  sample('bare.docx', docx(paragraph('Sandpiper')), 'sandpiper', 1),
  sample('bare.odt', odf('text', '<text:p>Turnstone</text:p>'), 'turnstone', 1),
  sample('bare.vsdx', visio('Phalarope'), 'phalarope', 1),
  sample('bare.rtf', '{\\rtf1\\ansi Oystercatcher}', 'oystercatcher', 1),
  sample(
    'bare.ods',
    odf(
      'spreadsheet',
      `<table:table table:name="A"><table:table-row>${cell('Whimbrel')}</table:table-row></table:table>`,
    ),
    'whimbrel',
    1,
  ),
  sample(
    'bare.xlsx',
    xlsx([{ name: 'Costs', rows: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' }], ['<t>Dunlin</t>']),
    'dunlin',
    1,
  ),
]
