import type { IncomingMessage } from 'node:http'
import type { AnyEndpoint, Input, Reply } from '../../contract/endpoint.ts'
import type { Signer } from '../audit/signer.ts'
import type { Actor } from '../auth/actor.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Integrity } from '../blobs/integrity.ts'
import type { Config } from '../base/config.ts'
import type { JsonList } from '../db/json-list.ts'
import type { Db } from '../db/pool.ts'
import type { Replica } from '../db/replica.ts'
import type { IndexPrinter } from '../documents/index-pdf.ts'
import type { Renderer } from '../documents/render.ts'
import type { Scanner } from '../documents/ingest/scan.ts'
import type { PageImages } from '../documents/pages/page-images.ts'
import type { PageTexts } from '../documents/pages/page-texts.ts'
import type { Log } from '../../wire/log.ts'
import type { RateStore } from '../../wire/rates/rate-store.ts'
import type { Siblings } from '../../wire/siblings.ts'
import type { Marker } from '../documents/watermark/marker.ts'
import type { Stamper } from '../documents/watermark/carry/stamper.ts'
import type { Followers } from '../events/followers.ts'
import type { Pauses } from '../base/pauses.ts'
import type { Vault } from '../base/secrets.ts'
import type { ClientAddresses } from './client-addresses.ts'
import type { ContentUrls } from '../content/content-url.ts'

/** Built once in app.ts and passed explicitly. */
export interface Services {
  config: Config
  log: Log
  db: Db
  replica: Replica
  vault: Vault
  blobs: BlobStore
  /** Reads content and compares it with the upload. */
  integrity: Integrity
  contentUrls: ContentUrls
  clientAddresses: ClientAddresses
  /** Unmarked pages; only view-page.ts and, of terms, open-terms.ts give them to users. */
  pages: PageImages
  pageTexts: PageTexts
  /** Draws the pictures of logos and reads the PDFs of terms, in processes that end when one takes too long. */
  renderer: Pick<Renderer, 'drawLogo' | 'boxes' | 'findCarried' | 'text'>
  /** Scans the PDFs of terms; files are scanned by workers. */
  scanner: Scanner | undefined
  indexPrinter: IndexPrinter
  marker: Marker
  stamper: Stamper
  auditSigner: Signer
  followers: Followers
  /** Tells idle workers that there may be work. */
  hint(): void
  /** Tells the followers at all nodes that there may be an act that they have not heard of. Called after its commit. */
  announce(): void
  siblings: Siblings
  /** Where rate limits hold for all nodes together; undefined if each node has its own. */
  rateStore: RateStore | undefined
  isDraining: boolean
  pauses: Pauses
  clock: () => Date
}

export interface Context {
  /** The transaction of a changing endpoint; the pool for a reading, raw or marked one. */
  db: Db
  actor: Actor
  services: Services
  /** The bytes of a raw endpoint's body; `declaredSize` is the Content-Length, if there is one. */
  body: { stream: IncomingMessage; declaredSize: number | undefined }
  setHeaders(headers: Record<string, string>): void
  /** The address of the client on whose behalf our own proxy asks; undefined for any other caller. */
  clientOfProxy(): string | undefined
}

export type Handler<E extends AnyEndpoint> = (
  context: Context,
  input: Input<E>,
) => Promise<Written<Reply<E>> | Lines<Reply<E>> | Versioned<Written<Reply<E>>>>

/** The result of a JSON lines or event endpoint, instead of a list: its elements as they arrive. */
type Lines<List> = List extends readonly (infer Line)[] ? AsyncIterable<Line> : never

/** A reply with lists that may be JSON already, or one such list. */
type Written<Result> = { [Name in keyof Result]: Result[Name] | WrittenList<Result[Name]> } | WrittenList<Result>
type WrittenList<List> = List extends readonly unknown[] ? JsonList : never

/**
 * A reply that stays the same as long as its state does: made only for a state that was not seen before, from a database
 * at least as new as the state.
 */
export class Versioned<Result> {
  readonly state: string | undefined
  readonly make: (db: Db) => Promise<Result>

  constructor(state: string | undefined, make: (db: Db) => Promise<Result>) {
    this.state = state
    this.make = make
  }
}

const replicable = new WeakSet<object>()

/** Marks a handler that only reads and is done when it returns: a replica may answer it, or it may run again. */
export function fromReplica<H extends object>(handler: H): H {
  replicable.add(handler)
  return handler
}

export const isFromReplica = (handler: object): boolean => replicable.has(handler)

const single = new WeakSet<object>()

/** Marks a handler that changes the database by one statement, which is a transaction in itself. */
export function inOneStatement<H extends object>(handler: H): H {
  single.add(handler)
  return handler
}

export const isOneStatement = (handler: object): boolean => single.has(handler)

const beginning = new WeakSet<object>()

/** Marks a handler that begins its only transaction itself, after work for which no connection shall wait. */
export function inOwnTransaction<H extends object>(handler: H): H {
  beginning.add(handler)
  return handler
}

export const isInOwnTransaction = (handler: object): boolean => beginning.has(handler)

/** One handler for each endpoint of a section; the compiler rejects a missing one. */
export type Handlers<Section extends Record<string, AnyEndpoint>> = { [K in keyof Section]: Handler<Section[K]> }
