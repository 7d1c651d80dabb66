import type { Secrets } from '../credentials.ts'
import { fillDealRoom } from './deal-room.ts'

// Fills the demo in a process of its own, which ends when it is done: its modules are large, and needed once.

export interface Wanted {
  apiUrl: string
  databaseUrl: string
  secrets: Secrets
}

export interface Filled {
  error?: string
}

const gone = new AbortController()
process.once('disconnect', () => gone.abort())
process.once('message', (wanted: Wanted) => void fill(wanted))

async function fill(wanted: Wanted): Promise<void> {
  const filled: Filled = await fillDealRoom({ ...wanted, signal: gone.signal }).then(
    () => ({}),
    (error: Error) => ({ error: error.message }),
  )
  if (process.connected) process.send?.(filled, undefined, undefined, () => process.disconnect())
}
