import type { Operation, Parameter } from '../../../contract/openapi.ts'

/** A shell function, used by all examples, that signs a call. */
export const SIGNED = `API=http://127.0.0.1:4000/api/v1
signed() {
  exp=$(($(date +%s) + 60))
  sig=$(printf %s "$API_KEY$USER_TOKEN$exp" | openssl dgst -sha256 -hmac "$API_SECRET" -r | cut -d' ' -f1)
  curl -H "x-api-key: $API_KEY" -H "x-api-user-token: $USER_TOKEN" -H "x-api-exp-date: $exp" \\
    -H "x-api-signature: Method=HMAC-SHA256 Signature=$sig" "$@"
}`

export function curlOf(method: string, path: string, { parameters, requestBody }: Operation): string {
  const lines = [`signed${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$API${urlOf(path, parameters)}"`]
  const json = requestBody?.content['application/json']
  if (json) lines.push("-H 'content-type: application/json'", `-d '${JSON.stringify(json.example)}'`)
  else if (requestBody) lines.push('-T report.pdf')
  return lines.join(' \\\n  ')
}

function urlOf(path: string, parameters: Parameter[]): string {
  const inPath = parameters.filter((each) => each.in === 'path')
  const filled = inPath.reduce((url, { name, example }) => url.replace(`{${name}}`, String(example)), path)
  const query = parameters.filter((each) => each.in === 'query' && each.required).flatMap(pairsOf)
  return filled + (query.length > 0 ? `?${query.join('&')}` : '')
}

function pairsOf({ name, example }: Parameter): string[] {
  if (typeof example !== 'object' || example === null) return [`${name}=${encodeURIComponent(String(example))}`]
  return Object.entries(example).map(([key, value]) => `${name}%5B${key}%5D=${encodeURIComponent(String(value))}`)
}
