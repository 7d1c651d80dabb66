/** What a process took from a bucket. */
export interface Taken {
  name: string
  /** Milliseconds that the bucket needs to refill what was taken, and those that it may lack at most. */
  ms: number
  mostMs: number
}

/** Where the nodes of an installation put together what each of them took from its buckets. */
export interface RateStore {
  /** @returns the milliseconds that each bucket now lacks, in the same order */
  settle(taken: readonly Taken[]): Promise<number[]>
  close(): Promise<unknown>
}
