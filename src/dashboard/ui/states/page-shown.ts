const SECOND = 1000
/** A page that stays busy must not keep waiting for ever what is not part of it. */
const AT_MOST = 10

/** Waits, a second or more, until the page has its heading and loads nothing, so that what is not part of it comes later. */
export async function pageShown(): Promise<void> {
  for (let seconds = 0; seconds < AT_MOST; seconds++) {
    await new Promise((resolve) => setTimeout(resolve, SECOND))
    if (document.querySelector('main h1') && !document.querySelector('main [role="status"]')) return
  }
}
