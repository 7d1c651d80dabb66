import { createKeyRequest, type KeyRequest } from './crypto.ts'
import { byId, put, putWords, showScreen } from './elements.ts'
import { askForCode, hostOf, keyByCode, keyByWindow, NotOpened, openWindow } from './opening.ts'
import { showPages } from './pages.ts'
import { type Envelope, openFile, type ReadPart } from './sealed-file.ts'
import { dayOf, language, textOf } from './words.ts'

const envelope = JSON.parse(byId('envelope').textContent) as Envelope
const read: ReadPart = (part) => document.querySelector(`script[data-part="${part}"]`)?.textContent ?? undefined

/** Created in advance, because a browser opens a window only right after a click. */
let request: Promise<KeyRequest>
let ready: KeyRequest | undefined

function renewRequest(): void {
  ready = undefined
  request = createKeyRequest(envelope.copy_id).then((made) => (ready = made))
}

/** Only the latest attempt may change the screen; earlier attempts end silently. */
let attempts = 0

const say = (text: string) => void (byId('status').textContent = text)

async function show(key: Promise<CryptoKey>): Promise<void> {
  const attempt = ++attempts
  try {
    const file = await openFile(envelope, read, await key)
    if (attempt !== attempts) return
    const { title, reader, created_at } = file.facts
    document.title = title
    byId('title').textContent = title
    put(byId('note'), 'made_for', { reader, day: dayOf(created_at) })
    showScreen('document')
    showPages(file)
    byId('scroller').focus()
  } catch (error) {
    if (attempt !== attempts) return
    showScreen('closed')
    say(error instanceof NotOpened ? error.message : textOf('changed'))
  } finally {
    renewRequest()
  }
}

async function byWindow(): Promise<void> {
  const made = ready ?? (await request)
  const opened = openWindow(envelope, made)
  if (!opened) return byCode()
  say(textOf('go_on_in_window'))
  await show(keyByWindow(envelope, made, opened))
}

async function byCode(): Promise<void> {
  const stop = new AbortController()
  byId('cancel').addEventListener('click', () => stop.abort(), { once: true })
  try {
    const made = await createKeyRequest(envelope.copy_id)
    const asked = await askForCode(envelope, made)
    byId('user-code').textContent = asked.user_code
    showScreen('code')
    await show(keyByCode(envelope, made, asked, stop.signal))
  } catch (error) {
    say(error instanceof NotOpened ? error.message : textOf('try_again'))
  }
}

function bindTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  let isDark = dark.matches
  byId('theme').addEventListener('click', () => {
    isDark = !isDark
    document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  })
}

function start(): void {
  renewRequest()
  bindTheme()
  byId('open').addEventListener('click', () => void byWindow())
  byId('use-code').addEventListener('click', () => void byCode())
  byId('toggle-rail').addEventListener('click', () => {
    const rail = byId('rail')
    rail.hidden = !rail.hidden
    byId('toggle-rail').setAttribute('aria-expanded', String(!rail.hidden))
  })
  for (const kind of ['contextmenu', 'dragstart', 'copy']) {
    document.addEventListener(kind, (event) => event.preventDefault())
  }
}

/** Runs before the parts are read, so that the first screen is shown with its words while a large file is read. */
function showFirst(): void {
  const host = hostOf(envelope.service)
  document.documentElement.lang = language
  document.title = textOf('sealed_document')
  putWords({ host, address: `${host}/sealed/open` })
  showScreen('closed')
  byId('open').focus()
}

showFirst()
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
else start()
