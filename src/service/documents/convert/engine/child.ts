import { buffer } from 'node:stream/consumers'
import { DocumentFault } from '../../render/fault.ts'
import { serveTasks } from '../../render/serve-tasks.ts'
import { FAULTS } from '../convert-faults.ts'
import { type EngineFiles, loadOffice, type Office } from './load-office.ts'

/** The child process that converts one document with LibreOffice; office-engine.ts sends it tasks. */

let office: Office | undefined

async function start(files: EngineFiles): Promise<void> {
  office = await loadOffice(files)
}

/** Reads the document from the input and writes the PDF to the output. */
async function convert({ extension }: { extension: string }): Promise<void> {
  const pdf = office?.toPdf(await buffer(process.stdin), extension)
  if (!pdf?.length) throw new DocumentFault(FAULTS.damaged)
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(pdf, (error) => (error ? reject(error) : resolve()))
  })
}

serveTasks({ start, convert })
