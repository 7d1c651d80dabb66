import createCache, { type EmotionCache } from '@emotion/cache'
import { StyleSheet } from '@emotion/sheet'

/**
 * Emotion's sheet without `<style>` elements in the page: the content security policy allows none, and a
 * constructed sheet needs no permission. Sheets of global styles come before those of components.
 */
class AdoptedSheet extends StyleSheet {
  private sheet: CSSStyleSheet | undefined
  /** Never attached. Emotion clears a global sheet before it writes it again only if the sheet has a tag. */
  override tags = [document.createElement('style')]

  override insert(rule: string) {
    this.sheet ??= this.adopt()
    try {
      this.sheet.insertRule(rule, this.sheet.cssRules.length)
    } catch {
      // A selector for another browser (`::-moz-…`) is refused here, as intended.
    }
  }

  override hydrate() {}

  override flush() {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.sheet)
    this.sheet = undefined
  }

  private adopt() {
    const sheet = new CSSStyleSheet()
    const others = document.adoptedStyleSheets
    document.adoptedStyleSheets = this.key.endsWith('-global') ? [sheet, ...others] : [...others, sheet]
    return sheet
  }
}

export function createAdoptedStyles(): EmotionCache {
  const cache = createCache({ key: 'sr', speedy: true })
  cache.sheet = new AdoptedSheet({ key: cache.key, container: document.head, speedy: true })
  return cache
}
