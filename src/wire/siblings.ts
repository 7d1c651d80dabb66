export type ToSibling = { scrape: true } | { present: number[] } | { from: number; topic: string; news: unknown }
export type FromSibling = { ready: true } | { busy: number } | { metrics: unknown } | { topic: string; news: unknown }

interface Topic<News> {
  hear(news: News, from: number): void
  /** What a process that has just joined should know. */
  greet(): News | undefined
  forget?(slot: number): void
}

/**
 * The other processes of the same program on this machine. Their supervisor passes news on within milliseconds, so they
 * may decide limits together, but never who may do what: that is decided by the database.
 */
export interface Siblings {
  /** The number of processes, this one included. */
  count(): number
  /** Returns a function that tells the news to all others. */
  share<News>(topic: string, handlers: Topic<News>): (news: News) => void
  onJoin(listener: () => void): void
}

export const ALONE: Siblings = { count: () => 1, share: () => () => {}, onJoin: () => {} }

/** @param slot the number of this process, by which the supervisor and the others know it */
export function joinSiblings(slot: number): Siblings {
  const topics = new Map<string, Topic<unknown>>()
  const joined = new Set<() => void>()
  let others = new Set<number>()

  const send = (topic: string, news: unknown) => {
    if (news !== undefined && others.size > 0) tellSupervisor({ topic, news })
  }

  function meet(present: readonly number[]): void {
    const former = others
    others = new Set(present.filter((each) => each !== slot))
    for (const gone of former) {
      if (!others.has(gone)) for (const topic of topics.values()) topic.forget?.(gone)
    }
    if ([...others].every((each) => former.has(each))) return
    for (const [name, topic] of topics) send(name, topic.greet())
    for (const listener of joined) listener()
  }

  process.on('message', (message: ToSibling) => {
    if ('scrape' in message) return
    if ('present' in message) meet(message.present)
    else topics.get(message.topic)?.hear(message.news, message.from)
  })
  return {
    count: () => others.size + 1,
    share(topic, handlers) {
      topics.set(topic, handlers as Topic<unknown>)
      return (news) => send(topic, news)
    },
    onJoin: (listener) => void joined.add(listener),
  }
}

export function tellSupervisor(message: FromSibling): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
