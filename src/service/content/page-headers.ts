import type { AnyEndpoint } from '../../contract/endpoint.ts'
import { urlOf } from '../../contract/url.ts'

/** Headers for a page whose body is a bare array (decisions, section 6): X-Total-Count, and Link to other pages. */
export function pageHeaders(
  endpoint: AnyEndpoint,
  query: { page: number; per_page: number; [name: string]: unknown },
  total: number,
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / query.per_page))
  const pages = { first: 1, prev: query.page - 1, next: query.page + 1, last }
  const links = Object.entries(pages)
    .filter(([, page]) => page >= 1 && page <= last)
    .map(([rel, page]) => `<${urlOf(endpoint, { query: { ...query, page } })}>; rel="${rel}"`)
  return { 'X-Total-Count': String(total), Link: links.join(', ') }
}

export function paginationOf(total_items: number, { page, per_page }: { page: number; per_page: number }) {
  return { total_items, total_pages: Math.ceil(total_items / per_page), page, per_page }
}
