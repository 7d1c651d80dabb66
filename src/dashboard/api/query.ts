import {
  useMutation,
  useQueryClient,
  useSuspenseQuery,
  type DataTag,
  type QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseSuspenseQueryOptions,
} from '@tanstack/react-query'
import type { AnyEndpoint, Call, Reply } from '../../contract/endpoint.ts'
import { call } from './client.ts'
import { ApiFailure } from './failures.ts'
import { noticeSignedOut, queryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'

/** One call as query options, for loaders (`prefetch`) and pages (`useRead`) alike. */
export interface Query<E extends AnyEndpoint> {
  queryKey: DataTag<readonly [endpoint: string, call: object], Reply<E>, Error>
  queryFn: (context: { signal: AbortSignal }) => Promise<Reply<E>>
}

/** The input is optional if the endpoint needs none. */
type CallArguments<E extends AnyEndpoint> = Record<never, never> extends Call<E> ? [call?: Call<E>] : [call: Call<E>]

export function read<E extends AnyEndpoint>(endpoint: E, ...[input]: CallArguments<E>): Query<E> {
  const key = [`${endpoint.method} ${endpoint.path}`, input ?? {}]
  return {
    // The type tag of the key exists only for the compiler.
    queryKey: key as unknown as Query<E>['queryKey'],
    queryFn: ({ signal }) => call(endpoint, input, signal),
  }
}

/** If the reading fails, the page has what it knew, or `none`. Every reader of the endpoint must then read it so. */
export function orNone<E extends AnyEndpoint>({ queryKey, queryFn }: Query<E>, none: Reply<E>): Query<E> {
  const known = (error: unknown) => {
    noticeSignedOut(error)
    return queryClient.getQueryData<Reply<E>>(queryKey) ?? none
  }
  return { queryKey, queryFn: (context) => queryFn(context).catch(known) }
}

/** Reads the data of a page. Throws on 403 and 404 even if older data is cached; other failures leave that data. */
export function useRead<Data, Key extends QueryKey>(query: UseSuspenseQueryOptions<Data, Error, Data, Key>): Data {
  const { data, error, isFetching } = useSuspenseQuery(query)
  if (!isFetching && error instanceof ApiFailure && [403, 404].includes(error.code)) throw error
  return data
}

/** Read for a part that appears before its data and shows its own waiting and failure: a dialog, a menu, a panel. */
export { useQueries as useReadings, useQuery as useReading } from '@tanstack/react-query'

/** Starts reading in a loader without delaying the navigation; a failure shows where the page reads the same query. */
export function prefetch(...queries: { queryKey: QueryKey }[]): null {
  for (const query of queries) void queryClient.prefetchQuery(query)
  return null
}

/** Replaces the cached value of a query with the expected one; rolled back if the change fails. */
export type Foresee = <E extends AnyEndpoint>(query: Query<E>, change: (before: Reply<E>) => Reply<E>) => void

interface ActionOptions<E extends AnyEndpoint> {
  /** Shows the outcome before the service has confirmed it. */
  optimistic?: (input: Call<E>, foresee: Foresee) => void
  onDone?: (reply: Reply<E>, input: Call<E>) => void
}

type TakeBack = () => void
export type Action<E extends AnyEndpoint> = UseMutationResult<Reply<E>, Error, Call<E>, TakeBack | undefined>

/** Changes whose replies are awaited. A change that reads again is still mutating, but a later one is not in what it reads. */
let awaited = 0

/** A change through an endpoint, after which every query on the screen is read again. */
export function useAction<E extends AnyEndpoint>(
  endpoint: E,
  { optimistic, onDone }: ActionOptions<E> = {},
): Action<E> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Call<E>) => call(endpoint, input),
    onMutate: async (input) => {
      awaited = client.isMutating() > 1 ? awaited + 1 : 1
      if (!optimistic) return undefined
      const { foresee, takeBack } = await foreseeing(client)
      optimistic(input, foresee)
      return takeBack
    },
    onError: (_error, _input, takeBack) => takeBack?.(),
    onSuccess: (reply, input) => onDone?.(reply, input),
    // Only the last of several running changes reads again; an earlier reply would undo later optimistic updates.
    onSettled: () => {
      awaited -= 1
      return awaited > 0 ? undefined : refresh(client)
    },
  })
}

async function foreseeing(client: QueryClient) {
  await client.cancelQueries({ predicate: ofTheApi })
  const before: [QueryKey, unknown][] = []
  const foresee: Foresee = (query, change) => {
    const known = client.getQueryData(query.queryKey)
    if (known === undefined) return
    before.push([query.queryKey, known])
    client.setQueryData<unknown>(query.queryKey, change(known))
  }
  const takeBack = () => {
    for (const [key, value] of before.toReversed()) client.setQueryData(key, value)
  }
  return { foresee, takeBack }
}

/** Reads every query on the screen again and marks the others as stale; leaves out the session. */
export function refresh(client: QueryClient = queryClient) {
  return client.invalidateQueries({ predicate: ofTheApi })
}

const ofTheApi = ({ queryKey }: { queryKey: QueryKey }) => queryKey[0] !== sessionQuery.queryKey[0]
