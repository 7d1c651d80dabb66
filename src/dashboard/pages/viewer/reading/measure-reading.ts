import { useEffect, useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { urlOf } from '../../../../contract/url.ts'
import { signedInAs } from '../../../api/signed-in-as.ts'
import type { FileVersionKey } from '../pages/use-pages.ts'
import { useViewedFile } from '../viewed-file.tsx'
import { useSight } from '../viewer-sight.tsx'
import { createReadingBatches, type ReadingBatch } from './reading-batches.ts'
import { createReadingMeter, type ReadingMeter } from './reading-meter.ts'

const SEND_EVERY_MS = 15_000
const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove', 'scroll']

/** Measures how long each page is read, and tells the service. Draws nothing. */
export function MeasureReading() {
  const { shownKey } = useViewedFile()
  const { page } = useSight().window.sight
  const [meter] = useState(() => createReadingMeter(() => performance.now()))
  useEffect(() => meter.turnTo(page), [meter, page])
  useEffect(() => measure(meter, shownKey), [meter, shownKey])
  return null
}

function measure(meter: ReadingMeter, file: FileVersionKey): () => void {
  const batches = createReadingBatches((batch) => post(file, batch))
  const send = () => void batches.send(meter.take())
  const look = () => {
    meter.use(isInUse())
    if (document.visibilityState === 'hidden') send()
  }
  const noteInput = () => meter.noteInput()
  const timer = setInterval(send, SEND_EVERY_MS)
  meter.use(isInUse())
  for (const each of INPUTS) addEventListener(each, noteInput, { passive: true, capture: true })
  for (const each of ['focus', 'blur']) addEventListener(each, look)
  addEventListener('pagehide', send)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    for (const each of INPUTS) removeEventListener(each, noteInput, { capture: true })
    for (const each of ['focus', 'blur']) removeEventListener(each, look)
    removeEventListener('pagehide', send)
    document.removeEventListener('visibilitychange', look)
    send()
  }
}

const isInUse = () => document.visibilityState === 'visible' && document.hasFocus()

/** `keepalive` lets the browser send after the page is gone. A refusal is an answer: the batch does not come again. */
async function post({ workspaceId, fileId, version = 1 }: FileVersionKey, batch: ReadingBatch): Promise<boolean> {
  const url = urlOf(api.engagement.record, { params: { id: fileId } })
  const body = JSON.stringify({ workspace_id: workspaceId, version, ...batch })
  const headers = { 'content-type': 'application/json', ...signedInAs() }
  const response = await fetch(url, { method: 'POST', headers, body, keepalive: true }).catch(() => undefined)
  return response !== undefined && response.status < 500 && response.status !== 429
}
