import { dropOffOf, longestPages } from '../../../../contract/engagement/page-times.ts'
import type { EngagementReport, ReportedFile } from '../../../store/engagement/engagement-report.ts'
import type { Pages } from '../pages.ts'
import { type Place, widthOf, within, write, writeNumber } from './fit-text.ts'
import { drawBar, drawStrip, shareOf } from './plots.ts'
import { drawRows, type Field, GAP, writeHeading } from './table.ts'
import type { Words } from './words.ts'

const SIZE = 8.5
const SMALL = 7
/** Where the first and the second line of a row are, below its top. */
const [ONE, TWO] = [12.5, 22.5]
const BAR = 6

const LEAST_BAR = 6

interface Valued {
  text: string
  share: number
  /** Width of the widest text of the column. */
  room: number
}

/** A number at the right of its own width, and a bar in the rest of the column. */
function writeBar(pages: Pages, field: Field | undefined, top: number, { text, share, room: wanted }: Valued): void {
  if (!field) return
  const room = Math.min(wanted, field.width)
  writeNumber(pages, text, { x: field.x, width: room, baseline: top + ONE, size: SIZE, isRight: true })
  const x = field.x + room + 6
  const width = field.width - room - 6
  if (width >= LEAST_BAR) drawBar(pages, { x, y: top + ONE - BAR, width, height: BAR }, share)
}

const roomFor = (texts: readonly string[]) => Math.max(...texts.map((text) => widthOf(text, { size: SIZE }))) + 0.5

/** Durations, which are as wide as "18 h 40" and seldom wider. */
const roomForTimes = (rows: readonly { ms: number }[], { duration }: Words) =>
  Math.max(36, roomFor(rows.map(({ ms }) => duration(ms))))

function writeCount(pages: Pages, field: Field | undefined, text: string, baseline: number, size = SIZE): void {
  if (field) writeNumber(pages, text, { ...field, size, baseline, isRight: true })
}

function writeIn(
  pages: Pages,
  field: Field | undefined,
  text: string,
  at: Partial<Place> & { baseline: number },
): void {
  if (field) write(pages, text, { size: SIZE, ...field, ...at })
}

/** The groups side by side, most reading first. */
export function drawGroups(pages: Pages, { groups, all_groups }: EngagementReport, words: Words): void {
  if (groups.length === 0) return
  writeHeading(pages, words.groups, { note: words.groupsNote })
  const { number, of } = words
  const most = Math.max(0, ...groups.map(({ ms }) => ms))
  const pair = (part: number, whole: number) => `${number(part)} ${of} ${number(whole)}`
  const rooms = {
    ms: roomForTimes(groups, words),
    opened: roomFor(groups.map(({ opened, viewable }) => pair(opened, viewable))),
    active: roomFor(groups.map(({ active, members }) => pair(active, members))),
  }
  drawRows(pages, {
    columns: [
      { label: words.group, width: 136 },
      { label: words.reading, width: 108 },
      { label: words.openedOf, width: 96 },
      { label: words.active, width: 68 },
      { label: words.views, width: 42, isRight: true },
      { label: words.downloads, width: 37, isRight: true },
    ],
    rows: groups,
    height: 30,
    draw: (group, fields, top) => {
      const [name, reading, opened, active, views, downloads] = fields
      writeIn(pages, name, group.name, { baseline: top + ONE, look: 'bold' })
      const last = group.last_at ? words.lastAt(words.time(group.last_at)) : words.nothing
      writeIn(pages, name, last, { baseline: top + TWO, size: SMALL, isMuted: true })
      writeBar(pages, reading, top, { text: words.duration(group.ms), share: shareOf(group.ms, most), room: rooms.ms })
      if (group.former_ms > 0)
        writeIn(pages, reading, words.before(words.duration(group.former_ms)), {
          baseline: top + TWO,
          size: SMALL,
          isMuted: true,
        })
      const share = shareOf(group.opened, group.viewable)
      writeBar(pages, opened, top, { text: pair(group.opened, group.viewable), share, room: rooms.opened })
      writeBar(pages, active, top, {
        text: pair(group.active, group.members),
        share: shareOf(group.active, group.members),
        room: rooms.active,
      })
      writeCount(pages, views, number(group.views), top + ONE)
      writeCount(pages, downloads, number(group.downloads), top + ONE)
    },
    foot: moreOf(words, 'groups', all_groups - groups.length),
  })
}

type Listed = 'groups' | 'files' | 'people'

const moreOf = (words: Words, of: Listed, count: number) =>
  count > 0 ? words.more[of](...words.counted(count)) : undefined

/** The documents that were read most, each with its pages. */
export function drawDocuments(pages: Pages, { files, totals }: EngagementReport, words: Words): void {
  if (files.length === 0) return
  writeHeading(pages, words.documents, { note: words.legend, with: 150 })
  const { number } = words
  const most = Math.max(0, ...files.map(({ ms }) => ms))
  const room = roomForTimes(files, words)
  drawRows(pages, {
    columns: [
      { label: '', width: 54 },
      { label: words.document, width: 212 },
      { label: words.reading, width: 102 },
      { label: words.readersColumn, width: 36, isRight: true },
      { label: words.views, width: 42, isRight: true },
      { label: words.downloads, width: 41, isRight: true },
    ],
    rows: files,
    height: ({ page_count }) => (page_count > 0 ? 50 : 32),
    draw: (file, fields, top) => {
      const [outline, title, reading, readers, views, downloads] = fields
      const baseline = top + ONE
      writeIn(pages, outline, file.outline, { baseline, size: 7.5, isMuted: true })
      writeIn(pages, title, file.title, { baseline, look: 'bold' })
      writeBar(pages, reading, top, { text: words.duration(file.ms), share: shareOf(file.ms, most), room })
      writeCount(pages, readers, number(file.readers), baseline)
      writeCount(pages, views, number(file.views), baseline)
      writeCount(pages, downloads, number(file.downloads), baseline)
      drawPages(pages, file, { x: title?.x ?? 0, top }, words)
    },
    foot: moreOf(words, 'files', totals.used - files.length),
  })
}

const COUNT_WIDTH = 48

function drawPages(pages: Pages, file: ReportedFile, { x, top }: { x: number; top: number }, words: Words): void {
  const width = pages.width - x
  const y = top + 19.5
  if (file.page_count > 0) {
    drawStrip(pages, { x, y, width: width - COUNT_WIDTH, height: 9 }, file.pages, file.page_count)
    const count = words.pages(...words.counted(file.page_count))
    write(pages, count, {
      x: pages.width - COUNT_WIDTH,
      width: COUNT_WIDTH,
      baseline: y + 7,
      size: SMALL,
      isMuted: true,
      isRight: true,
    })
  }
  const facts = [...pageFacts(file, words), readBy(file, words)].filter(Boolean).join(' · ') || words.noReading
  write(pages, facts, { x, width, baseline: top + (file.page_count > 0 ? 40 : 24), size: SMALL, isMuted: true })
}

function pageFacts(
  { pages, page_count }: ReportedFile,
  { number, minutes, longest, stops, reachEnd }: Words,
): string[] {
  const [best] = longestPages([pages], 1)
  if (!best) return []
  const stop = dropOffOf(pages, page_count)
  const end = stop ? stops(number(stop.left), number(stop.of), number(stop.page)) : reachEnd
  return [longest(number(best.page), minutes(best.ms)), pages.stops.length > 0 && page_count > 1 ? end : '']
}

function readBy({ read_by, more_groups }: ReportedFile, words: Words): string {
  const named = read_by.map(({ name, ms }) => `${within(name, MOST_OF_A_NAME)} ${words.duration(ms)}`)
  return [...named, ...(more_groups > 0 ? [words.more.named(words.number(more_groups))] : [])].join(', ')
}

const MOST_OF_A_NAME = 24

/** The people, most reading first, with when they came first and last. */
export function drawPeople(pages: Pages, { people, totals }: EngagementReport, words: Words): void {
  if (people.length === 0) return
  writeHeading(pages, words.people)
  const { number, time } = words
  const most = Math.max(0, ...people.map(({ ms }) => ms))
  const room = roomForTimes(people, words)
  drawRows(pages, {
    columns: [
      { label: words.person, width: 126 },
      { label: words.reading, width: 98 },
      { label: words.views, width: 42, isRight: true },
      { label: words.downloads, width: 45, isRight: true },
      { label: words.first, width: 90, isRight: true },
      { label: words.last, width: 86, isRight: true },
    ],
    rows: people,
    height: 30,
    draw: (person, fields, top) => {
      const [name, reading, views, downloads, first, last] = fields
      const baseline = top + ONE
      writeIn(pages, name, person.user_name, { baseline, look: 'bold' })
      writeIn(pages, name, person.group_names.map((each) => within(each)).join(', '), {
        baseline: top + TWO,
        size: SMALL,
        isMuted: true,
      })
      writeBar(pages, reading, top, { text: words.duration(person.ms), share: shareOf(person.ms, most), room })
      writeCount(pages, views, number(person.views), baseline)
      writeCount(pages, downloads, number(person.downloads), baseline)
      writeCount(pages, first, person.first_at ? time(person.first_at) : '–', baseline, 8)
      writeCount(pages, last, person.last_at ? time(person.last_at) : '–', baseline, 8)
    },
    foot: moreOf(words, 'people', totals.people - people.length),
  })
}

/** The documents that groups may see and nobody opened, in the order of their numbers. */
export function drawUnread(pages: Pages, { totals }: EngagementReport, words: Words): void {
  const { unread, unread_files } = totals
  if (totals.viewable === 0) return
  const note = unread === 0 ? words.noneUnread : words.unreadText
  writeHeading(pages, `${words.unread} (${words.number(unread)})`, { note })
  if (unread === 0) return
  drawRows(pages, {
    columns: [
      { label: '', width: 66 },
      { label: words.document, width: pages.width - 66 + GAP },
    ],
    rows: unread_files,
    height: 15.5,
    draw: ({ outline, title }, [number, name], top) => {
      writeIn(pages, number, outline, { baseline: top + 11, isMuted: true })
      writeIn(pages, name, title, { baseline: top + 11 })
    },
    foot: moreOf(words, 'files', unread - unread_files.length),
  })
}
