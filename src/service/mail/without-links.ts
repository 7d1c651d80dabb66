/** Mail programs make links of addresses in a text. An invisible word joiner after `.`, `:`, `/` and `@` prevents it. */
export function withoutLinks(text: string): string {
  return text.replace(/[.:/@](?=[^\s\u2060])/gu, '$&\u2060')
}
