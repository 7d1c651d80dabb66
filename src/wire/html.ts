const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for content and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

/** Finished markup. Only `html` makes markup of text. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = string | number | undefined | false | Html | readonly Part[]

/** Makes markup and escapes every text that is put into it. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(markupOf)))
}

function markupOf(part: Part): string {
  if (part instanceof Html) return part.markup
  if (part === undefined || part === false) return ''
  return typeof part === 'object' ? part.map(markupOf).join('') : escapeHtml(String(part))
}
