import { failureOf, noAnswer } from '../../../api/failures.ts'
import { signedInAs } from '../../../api/signed-in-as.ts'

interface Put {
  url: string
  body: Blob
  onProgress: (bytes: number) => void
  signal: AbortSignal
}

/** `fetch` does not report the progress of a request, hence XMLHttpRequest. */
export function put<T>({ url, body, onProgress, signal }: Put): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('accept', 'application/json')
    for (const [name, value] of Object.entries(signedInAs())) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      if (request.status !== 200) reject(failureOf(request.status, request.responseText))
      else resolve(JSON.parse(request.responseText) as T)
    })
    request.addEventListener('error', () => reject(noAnswer()))
    request.addEventListener('abort', () => reject(signal.reason))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
