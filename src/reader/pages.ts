import { byId, make } from './elements.ts'
import type { SealedFile } from './sealed-file.ts'
import { textOf } from './words.ts'

/** Number of decrypted pages to keep: those requested last. */
const KEPT = 48
const STEPS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3]

interface Slot {
  frame: HTMLElement
  thumb: HTMLElement
  link: HTMLButtonElement
}

/** Shows the pages, each decrypted when it comes near the visible area. */
export function showPages(file: SealedFile): void {
  const list = byId('pages')
  const rail = byId('rail')
  const total = file.facts.pages.length
  const urls = createUrls(file)
  const slots = file.facts.pages.map((size, index) => createSlot(size, index + 1, total))
  list.replaceChildren(...slots.map(({ frame }) => frame))
  rail.replaceChildren(...slots.map(({ link }) => link))
  fillWhenNear(slots, urls)
  followReading(slots, total)
  bindControls(slots)
}

function createSlot({ width, height }: { width: number; height: number }, number: number, total: number): Slot {
  const frame = make('figure', 'page')
  const thumb = make('span', 'thumb')
  for (const box of [frame, thumb]) box.style.aspectRatio = `${width} / ${height}`
  frame.id = `page-${number}`
  frame.setAttribute('aria-label', textOf('page_of', { number, total }))
  const link = make('button', 'link')
  link.type = 'button'
  link.append(thumb, make('span', 'number', String(number)))
  link.setAttribute('aria-label', textOf('go_to_page', { number }))
  link.addEventListener('click', () => frame.scrollIntoView())
  return { frame, thumb, link }
}

/** Returns a cache of the URLs of decrypted pages, which revokes those not requested for longest. */
function createUrls(file: SealedFile): (number: number) => Promise<string> {
  const kept = new Map<number, Promise<string>>()
  return (number) => {
    const url = kept.get(number) ?? file.page(number).then((page) => URL.createObjectURL(page))
    kept.delete(number)
    kept.set(number, url)
    for (const [oldest, old] of kept) {
      if (kept.size <= KEPT) break
      kept.delete(oldest)
      void old.then((each) => URL.revokeObjectURL(each)).catch(() => {})
    }
    return url
  }
}

function fillWhenNear(slots: Slot[], urlOf: (number: number) => Promise<string>): void {
  const watch = (root: HTMLElement, boxes: HTMLElement[]) => {
    const numbers = new Map<Element, number>(boxes.map((box, index) => [box, index + 1]))
    const look = (entries: IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) void fill(target, numbers.get(target) ?? 0, urlOf)
        else target.replaceChildren()
      }
    }
    const observer = new IntersectionObserver(look, { root, rootMargin: '800px' })
    for (const box of boxes) observer.observe(box)
  }
  const frames = slots.map(({ frame }) => frame)
  const thumbs = slots.map(({ thumb }) => thumb)
  watch(byId('scroller'), frames)
  watch(byId('rail'), thumbs)
}

async function fill(box: Element, number: number, urlOf: (number: number) => Promise<string>): Promise<void> {
  const isPage = box.classList.contains('page')
  try {
    const image = make('img')
    image.alt = isPage ? textOf('image_of_page', { number }) : ''
    image.draggable = false
    image.src = await urlOf(number)
    box.replaceChildren(image)
  } catch {
    const words = isPage ? textOf('page_changed') : '!'
    box.replaceChildren(make('p', 'broken', words))
  }
}

/** Shows which page is being read, above the pages and in the rail. */
function followReading(slots: Slot[], total: number): void {
  const scroller = byId('scroller')
  const show = () => {
    const line = scroller.getBoundingClientRect().top + scroller.clientHeight / 3
    const below = slots.findIndex(({ frame }) => frame.getBoundingClientRect().bottom > line)
    const current = below === -1 ? slots.length - 1 : below
    byId('place').textContent = `${current + 1} / ${total}`
    slots.forEach(({ link }, index) => link.setAttribute('aria-current', String(index === current)))
    if (current !== shown) slots[current]?.link.scrollIntoView({ block: 'nearest' })
    shown = current
  }
  let shown = 0
  scroller.addEventListener('scroll', () => requestAnimationFrame(show), { passive: true })
  show()
}

function bindControls(slots: Slot[]): void {
  let step = STEPS.indexOf(1)
  const zoom = (to: number) => {
    step = Math.min(Math.max(to, 0), STEPS.length - 1)
    const factor = STEPS[step] ?? 1
    byId('pages').style.setProperty('--zoom', String(factor))
    byId('zoom').textContent = `${Math.round(factor * 100)} %`
  }
  const turn = (by: number) => {
    const current = slots.findIndex(({ link }) => link.getAttribute('aria-current') === 'true')
    slots[Math.min(Math.max(current + by, 0), slots.length - 1)]?.frame.scrollIntoView()
  }
  const keys: Record<string, () => void> = {
    '+': () => zoom(step + 1),
    '=': () => zoom(step + 1),
    '-': () => zoom(step - 1),
    '0': () => zoom(STEPS.indexOf(1)),
    ArrowLeft: () => turn(-1),
    ArrowRight: () => turn(1),
  }
  byId('larger').addEventListener('click', () => zoom(step + 1))
  byId('smaller').addEventListener('click', () => zoom(step - 1))
  byId('previous').addEventListener('click', () => turn(-1))
  byId('next').addEventListener('click', () => turn(1))
  document.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
}
