import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { firstObject, packedPdf, samplePdf } from '../sample-pdf.ts'
import { sample, type Sample } from './sample.ts'

const run = promisify(execFile)
const line = (text: string) => `BT /F 14 Tf 120 300 Td 16 TL (${text.replaceAll('\n', ') Tj T* (')}) Tj ET`

export function pdfSamples(): Sample[] {
  const field = firstObject(1)
  const form = {
    catalog: `/AcroForm<</Fields[${field} 0 R]/DA(/F 12 Tf)/DR<</Font<</F 3 0 R>>>>>>`,
    objects: ['<</Type/Annot/Subtype/Widget/F 4/FT/Tx/T(a)/V(Mortgagee)/DA(/F 12 Tf)/Rect[60 600 260 620]>>'],
  }
  const long = Array.from({ length: 60 }, (_, at) => ({ content: line(`page sheet${at}`) }))
  return [
    sample('plain.pdf', samplePdf([{ content: line('Kingfisher lease') }]), 'kingfisher lease', 1),
    sample('packed.pdf', packedPdf([{ content: line('Nightingale') }]), 'nightingale', 1),
    sample('turned.pdf', samplePdf([{ content: line('Cormorant'), entries: '/Rotate 90' }]), 'cormorant', 1),
    sample(
      'cropped.pdf',
      samplePdf([{ content: line('Guillemot'), entries: '/CropBox[100 100 500 400]' }]),
      'guillemot',
      1,
    ),
    sample('divided.pdf', samplePdf([{ content: line('the har-\nbour of') }]), 'harbour', 1),
    sample('form.pdf', samplePdf([{ entries: `/Annots[${field} 0 R]` }], form), 'mortgagee', 1),
    sample(
      'behind lines.pdf',
      Buffer.concat([Buffer.from('\r\n\r\n'), samplePdf([{ content: line('Razorbill') }])]),
      'razorbill',
      1,
    ),
    sample('long.pdf', samplePdf(long), 'sheet0 sheet59', 60),
  ]
}

/** Programs that write PDFs: each gets the path of a PDF or of a text for troff, and a path for its own. */
const PRODUCERS: Record<
  string,
  { program: string; from: 'pdf' | 'ms'; arguments: (from: string, to: string) => string[] }
> = {
  'linear by qpdf': { program: 'qpdf', from: 'pdf', arguments: (from, to) => ['--linearize', from, to] },
  'packed by qpdf': { program: 'qpdf', from: 'pdf', arguments: (from, to) => ['--object-streams=generate', from, to] },
  'locked against printing by qpdf': {
    program: 'qpdf',
    from: 'pdf',
    arguments: (from, to) => ['--encrypt', '', 'owner', '256', '--print=none', '--', from, to],
  },
  'old by Ghostscript': {
    program: 'gs',
    from: 'pdf',
    arguments: (from, to) => [
      '-q',
      '-dBATCH',
      '-dNOPAUSE',
      '-sDEVICE=pdfwrite',
      '-dCompatibilityLevel=1.3',
      `-o${to}`,
      from,
    ],
  },
  'new by Ghostscript': {
    program: 'gs',
    from: 'pdf',
    arguments: (from, to) => ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', `-o${to}`, from],
  },
  'clean by MuPDF': { program: 'mutool', from: 'pdf', arguments: (from, to) => ['clean', '-gggz', from, to] },
  'text by groff': {
    program: 'gropdf',
    from: 'ms',
    arguments: (from, to) => ['-c', `groff -Tpdf -ms ${from} > ${to}`],
  },
}

/** The same two pages as programs of this machine write them, in a folder for this alone. */
export async function producedPdfs(folder: string): Promise<Sample[]> {
  const [pdf, ms] = [join(folder, 'from.pdf'), join(folder, 'from.ms')]
  await writeFile(pdf, samplePdf([{ content: line('Kittiwake') }, { content: line('Fulmar') }]))
  await writeFile(ms, '.PP\nKittiwake\n.bp\nFulmar\n')
  const made: Sample[] = []
  for (const [name, { program, from, arguments: argumentsFor }] of Object.entries(PRODUCERS)) {
    if (!existsSync(`/usr/bin/${program}`)) continue
    const to = join(folder, `${name}.pdf`)
    await run(from === 'ms' ? 'sh' : program, argumentsFor(from === 'ms' ? ms : pdf, to))
    made.push(sample(`${name}.pdf`, await readFile(to), 'kittiwake fulmar', 2))
  }
  return made
}
