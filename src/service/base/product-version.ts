import { createRequire } from 'node:module'

/** As package.json says it. */
export const { version: PRODUCT_VERSION } = createRequire(import.meta.url)('../../../package.json') as {
  version: string
}
