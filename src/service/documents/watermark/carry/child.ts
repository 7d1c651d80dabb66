import type { PdfDelivery } from '../../../../contract/endpoints/watermarks.ts'
import type { Marking } from '../../../store/downloads/marks.ts'
import { readImageBoxes } from '../../render/read-image.ts'
import { serveTasks } from '../../render/serve-tasks.ts'
import { isStampableImage, stampImage } from './stamp-image.ts'
import { stampAnyPdf } from './stamp-any-pdf.ts'

/** The child process that stamps files; stamper.ts sends it tasks. */

export interface StampTask {
  source: string
  type: string
  target: string
  marking: Marking
  delivery: PdfDelivery
}

/** @returns the type of the stamped copy */
async function stamp({ source, type, target, marking, delivery }: StampTask): Promise<string> {
  if (isStampableImage(type) && (await readImageBoxes(source, type)).length === 1) {
    await stampImage(source, target, type, marking)
    return type
  }
  await stampAnyPdf({ path: source, type }, target, marking, delivery)
  return 'application/pdf'
}

serveTasks({ stamp })
