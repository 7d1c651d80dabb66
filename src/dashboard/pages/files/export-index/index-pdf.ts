import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { pdfOf, printedFor } from '../../../ui/words/pdf.ts'

/** Gets the index as a PDF, in the language and the time zone of the dashboard. */
export const readPdf = async (workspaceId: number, signal: AbortSignal): Promise<Blob> =>
  pdfOf(await call(api.workspaces.printIndex, { params: { id: workspaceId }, query: printedFor() }, signal))
