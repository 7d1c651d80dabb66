import { createCompiledCatalog } from '@lingui/cli/api'
import type { Page } from '@playwright/test'
import type { Words } from './pages.ts'

// Finds texts of a page that bypass the catalogue. In the pseudo language all letters carry accents, so plain English
// stands out.

/** Converts an English text to the pseudo language. */
export const inPseudo: Words = (english) => {
  const options = { namespace: 'json', pseudoLocale: 'pseudo' } as const
  const { source } = createCompiledCatalog('pseudo', { text: english }, options)
  const { messages } = JSON.parse(source) as { messages: { text: string[] } }
  return messages.text.join('')
}

const READABLE = /[A-Za-z]{3,}/

/** Fields of replies that hold user input or names, which the dashboard shows untranslated. */
const DATA =
  /^(names?|title|subject(_en|_de)?|text_(en|de)|sender_name|display_name|company|file_name|first_name|last_name|email|team_name|workspace_name|folder_name|group_name|folder_path|path|snippet|custom_text|time_zone|website|phone_number|role|user_name|user_agent|sha256|file_content_type|ip)$/

/** Matches the words between the names in the sentence of an activity: "added Tom Becker to group Buyers". */
const BETWEEN_NAMES = /^added |^removed | to (?:group )?| from group | for group: |: /

/**
 * Words that are the same in every language, such as products, formats, keys and placeholders; and the search term of the
 * tests.
 */
const NAMES =
  /\{(room|inviter|organization|name)\}|\b(Strongroom|English|Deutsch|memo|SHA-256|DRM|API|CSV|PDF|UTC|Ctrl|Alt|Shift|Enter|Esc|Tab|Del|Home|End|Space|Backspace|F2|Linux|Chrome|Firefox|Safari|Windows|Android)\b/g

/** Dates, durations and sizes, which the browser formats in British English here. */
const FORMATTED =
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\b|\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(in )?\d+ (second|minute|hour|day|week|month|year)s?( ago)?\b|\b(GMT|BST|WES?T|CES?T|EES?T)\b|\b(yesterday|today|tomorrow|now)\b|\b(at|of)\b|\d [kMG]?B\b/g

/** Remembers every name that the service sends to this page. */
export function collectData(page: Page): Set<string> {
  const data = new Set<string>()
  page.on('response', (response) => {
    if (!/\/(api\/v1|auth)\//.test(response.url())) return
    void response.json().then(
      (body: unknown) => gather(body, data),
      () => undefined,
    )
  })
  return data
}

function gather(value: unknown, data: Set<string>, key = ''): void {
  if (typeof value === 'string' && DATA.test(key)) data.add(value.trim())
  else if (typeof value === 'string' && key === 'message') for (const each of value.split(BETWEEN_NAMES)) data.add(each)
  else if (Array.isArray(value)) for (const each of value) gather(each, data, key)
  else if (value !== null && typeof value === 'object')
    for (const [name, each] of Object.entries(value)) gather(each, data, name)
}

/** Returns the visible texts and labels of the page that come neither from the catalogue nor from the data. */
export async function plainEnglish(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const known = [...data].filter((text) => READABLE.test(text)).toSorted((a, b) => b.length - a.length)
  const texts = await page.evaluate(textsOfPage)
  return texts.filter((text) => {
    let rest = text
    for (const name of known) rest = rest.replaceAll(name, ' ')
    return READABLE.test(rest.replaceAll(FORMATTED, ' ').replaceAll(NAMES, ' '))
  })
}

/** Runs in the page. */
function textsOfPage(): string[] {
  const texts = new Set([document.title])
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const shown = node.parentElement?.closest('script, style, svg, [translate="no"]') === null
    if (shown && node.parentElement?.checkVisibility()) texts.add(node.textContent?.trim() ?? '')
  }
  for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
    for (const element of document.querySelectorAll(`[${name}]`)) texts.add(element.getAttribute(name) ?? '')
  }
  return [...texts]
}
