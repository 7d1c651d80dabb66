import { sealPart } from './part.ts'
import { readerPage } from './reader-page.ts'

export interface SealedFacts {
  title: string
  reader: string
  workspace: string
  created_at: string
  pages: readonly { width: number; height: number }[]
}

interface Sealing {
  key: Buffer
  copyId: string
  workspaceId: number
  service: string
  facts: SealedFacts
  /** Returns the image of a page, counted from 1, with the mark of the copy's reader. */
  page(number: number): Promise<Buffer>
}

/** Yields the bytes of a sealed file, one page after the other; only one page is in memory at a time. */
export async function* sealedHtml({ key, copyId, workspaceId, service, facts, page }: Sealing): AsyncGenerator<Buffer> {
  const part = (number: number, plain: Buffer) =>
    Buffer.from(
      `<script type="text/plain" data-part="${number}">${sealPart(key, copyId, number, plain).toString('base64')}</script>\n`,
    )
  yield Buffer.from(head({ copyId, workspaceId, service }))
  yield part(0, Buffer.from(JSON.stringify(facts)))
  for (let number = 1; number <= facts.pages.length; number++) yield part(number, await page(number))
  yield Buffer.from('</body>\n</html>\n')
}

/** The head contains nothing of the document, not even its title. */
function head({ copyId, workspaceId, service }: Pick<Sealing, 'copyId' | 'workspaceId' | 'service'>): string {
  const { script, style, shell, scriptHash, styleHash } = readerPage()
  const envelope = { format: 'strongroom-sealed', version: 1, copy_id: copyId, workspace_id: workspaceId, service }
  const policy = [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    `style-src ${styleHash}`,
    'img-src blob:',
    'font-src data:',
    `connect-src ${service}/sealed/key`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Sealed document</title>
<style>${style}</style>
</head>
<body>
${shell}
<script type="application/json" id="envelope">${JSON.stringify(envelope).replaceAll('<', '\\u003c')}</script>
<script>${script}</script>
`
}
