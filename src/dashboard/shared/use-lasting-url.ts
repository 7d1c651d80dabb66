import { useState } from 'react'
import { onOurOrigin } from './on-our-origin.ts'

interface Shown {
  url: string | undefined
  state: 'coming' | 'there' | 'renewing' | 'failed'
}

/**
 * State of an image with an expiring URL. A URL that does not work is renewed once; a loaded image stays as it is when
 * its URL changes. `renew` rejects if the service refuses.
 */
export function useLastingUrl(url: string | undefined, renew: () => Promise<unknown>) {
  const [shown, setShown] = useState<Shown>({ url, state: 'coming' })
  const isNew = url !== shown.url && (shown.state === 'coming' || shown.state === 'renewing')
  if (isNew) setShown({ ...shown, url })

  const ask = (state: 'renewing' | 'coming') => {
    setShown({ ...shown, state })
    renew().catch(() => setShown((before) => ({ ...before, state: 'failed' })))
  }
  return {
    src: shown.url && shown.state !== 'failed' ? onOurOrigin(shown.url) : undefined,
    there: shown.state === 'there',
    failed: shown.state === 'failed',
    onLoad: () => setShown({ ...shown, state: 'there' }),
    onError: () => (shown.state === 'coming' ? ask('renewing') : setShown({ ...shown, state: 'failed' })),
    retry: () => ask('coming'),
  }
}
