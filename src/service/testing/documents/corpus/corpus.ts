import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { imageSamples } from './images.ts'
import { bareOfficeSamples, officeSamples } from './office.ts'
import { pdfSamples, producedPdfs } from './pdfs.ts'
import { refusedSamples } from './refused.ts'
import type { Sample } from './sample.ts'
import { textSamples } from './texts.ts'

interface Options {
  /** Whether LibreOffice is installed and may run. */
  hasOffice: boolean
  extent: 'each format' | 'each language'
}

/** Makes the files of the corpus, with the help of programs of this machine that write in `folder`. */
export async function makeCorpus(folder: string, { hasOffice, extent }: Options): Promise<Sample[]> {
  const [office, pdf] = [join(folder, 'office'), join(folder, 'pdf')]
  await Promise.all([office, pdf].map((path) => mkdir(path, { recursive: true })))
  return [
    ...textSamples(),
    ...pdfSamples(),
    ...(await producedPdfs(pdf)),
    ...(await imageSamples()),
    ...(hasOffice ? [...bareOfficeSamples(), ...(await officeSamples(office, extent))] : []),
    ...(await refusedSamples()),
  ]
}
