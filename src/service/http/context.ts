import type { Readable } from 'node:stream'
import type { AnyEndpoint, Input, Reply } from '../../contract/endpoint.ts'
import type { Signer } from '../audit/signer.ts'
import type { Actor } from '../auth/actor.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Integrity } from '../blobs/integrity.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import type { PageImages } from '../documents/page-images.ts'
import type { Log } from '../../wire/log.ts'
import type { Marker } from '../documents/watermark/marker.ts'
import type { Stamper } from '../documents/watermark/stamper.ts'
import type { Followers } from '../events/followers.ts'
import type { Vault } from '../secrets.ts'
import type { ClientAddresses } from './client-addresses.ts'
import type { ContentUrls } from './content-url.ts'

/** Built once in app.ts and passed explicitly. */
export interface Services {
  config: Config
  log: Log
  db: Db
  vault: Vault
  blobs: BlobStore
  /** Reads content that is compared with what was uploaded. */
  integrity: Integrity
  contentUrls: ContentUrls
  clientAddresses: ClientAddresses
  /** Unmarked pages; view-page.ts alone gives them to people. */
  pages: PageImages
  marker: Marker
  stamper: Stamper
  auditSigner: Signer
  /** Who wants to hear of changes. */
  followers: Followers
  clock: () => Date
}

export interface Context {
  /** Of a changing endpoint: its transaction. Of a reading or raw one: the pool. */
  db: Db
  actor: Actor
  services: Services
  /** The bytes of a raw endpoint's body; `declaredSize` is what Content-Length says, if anything. */
  body: { stream: Readable; declaredSize: number | undefined }
  /** Adds headers to the reply. */
  setHeaders(headers: Record<string, string>): void
}

export type Handler<E extends AnyEndpoint> = (context: Context, input: Input<E>) => Promise<Reply<E> | Lines<Reply<E>>>

/** What an endpoint of JSON lines or events gives instead of a list: its elements, as they come. */
type Lines<List> = List extends readonly (infer Line)[] ? AsyncIterable<Line> : never

/** One handler for each endpoint of a section; a missing one does not compile. */
export type Handlers<Section extends Record<string, AnyEndpoint>> = { [K in keyof Section]: Handler<Section[K]> }
