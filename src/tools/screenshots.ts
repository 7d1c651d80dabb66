import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Browser, chromium, type Page, type Request } from 'playwright'
import { startStack } from '../../e2e/stack.ts'
import { paths } from '../dashboard/paths.ts'
import { ensureDashboard } from '../embedded/dashboard.ts'
import { findBrowser } from './browser.ts'
import { ROOT } from './sources.ts'

// `npm run screenshots` takes every page as the people of the demo see it: light and dark, wide and narrow, and in
// German. The files go to screenshots/. `npm run screenshots -- de` takes only those with that text in their name.

const ADMIN = 'ines.carvalho@harbour.example'
const BUYER = 'tom.becker@northgate.example'
/** Is asked to accept the terms of another room again. */
const LENDER = 'ayesha.rahman@meridianbank.example'
const COUNSEL = 'jonas.lindqvist@lindqvist-law.example'
/** Has an invitation that waits. */
const INVITED = 'kenji.watanabe@tideguard.example'

const FOLDER = join(ROOT, 'screenshots')
const only = process.argv[2] ?? ''

interface Look {
  name: string
  width: number
  colorScheme: 'light' | 'dark'
  locale: string
}

const LOOKS: Look[] = [
  ...[1440, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({
      name: `${colorScheme}-${width}`,
      width,
      colorScheme,
      locale: 'en-GB',
    })),
  ),
  ...[1440, 390].map((width) => ({ name: `de-${width}`, width, colorScheme: 'light' as const, locale: 'de-DE' })),
]

interface Shot {
  name: string
  /** E-mail of the signed-in person; absent: not signed in. */
  as?: string
  path: (room: Room) => string
  /** Brings the page into the state to be shown. */
  act?: (page: Page) => Promise<unknown>
}

interface Room {
  workspaceId: number
  folderId: number
  fileId: number
  groupId: number
  teamId: number
  draftGroupId: number
  /** Another room, whose terms await the lender. */
  otherId: number
}

const NO_ROOM: Room = {
  workspaceId: 0,
  folderId: 0,
  fileId: 0,
  groupId: 0,
  teamId: 0,
  draftGroupId: 0,
  otherId: 0,
}

const SHOTS: Shot[] = [
  { name: 'sign-in', path: () => paths.signIn() },
  { name: 'home', as: ADMIN, path: paths.home },
  { name: 'home-buyer', as: BUYER, path: paths.home },
  { name: 'files', as: ADMIN, path: ({ workspaceId }) => paths.files(workspaceId) },
  {
    name: 'files-folder',
    as: ADMIN,
    path: ({ workspaceId, folderId, fileId }) => paths.files(workspaceId, folderId, { file: fileId }),
  },
  { name: 'files-buyer', as: BUYER, path: ({ workspaceId, folderId }) => paths.files(workspaceId, folderId) },
  { name: 'trash', as: ADMIN, path: ({ workspaceId }) => paths.trash(workspaceId) },
  {
    name: 'files-new-folder',
    as: ADMIN,
    path: ({ workspaceId }) => paths.files(workspaceId),
    act: (page) => page.getByRole('button', { name: 'New folder' }).click(),
  },
  { name: 'viewer', as: ADMIN, path: ({ workspaceId, fileId }) => paths.view(workspaceId, fileId) },
  {
    name: 'viewer-find',
    as: ADMIN,
    path: ({ workspaceId, fileId }) => paths.view(workspaceId, fileId, { find: 'revenue' }),
  },
  { name: 'viewer-buyer', as: BUYER, path: ({ workspaceId, fileId }) => paths.view(workspaceId, fileId) },
  {
    name: 'viewer-versions',
    as: ADMIN,
    path: ({ workspaceId, fileId }) => paths.view(workspaceId, fileId),
    act: (page) => page.keyboard.press('v'),
  },
  {
    name: 'viewer-gone',
    as: ADMIN,
    path: ({ workspaceId }) => paths.view(workspaceId, 999_999),
  },
  { name: 'documents', as: ADMIN, path: ({ workspaceId }) => paths.documents(workspaceId) },
  {
    name: 'commands',
    as: ADMIN,
    path: ({ workspaceId, folderId, fileId }) => paths.files(workspaceId, folderId, { file: fileId }),
    act: (page) => page.keyboard.press('Control+k'),
  },
  {
    name: 'shortcuts',
    as: ADMIN,
    path: ({ workspaceId, fileId }) => paths.view(workspaceId, fileId),
    act: (page) => page.keyboard.press('?'),
  },
  { name: 'search', as: ADMIN, path: ({ workspaceId }) => paths.search(workspaceId, 'accounts') },
  {
    name: 'permissions',
    as: ADMIN,
    path: ({ workspaceId, groupId }) => paths.permissions(workspaceId, { group: groupId }),
  },
  {
    name: 'permissions-expanded',
    as: ADMIN,
    path: ({ workspaceId, groupId }) => paths.permissions(workspaceId, { group: groupId }),
    act: (page) => page.getByRole('button', { name: 'Expand all' }).click(),
  },
  { name: 'permissions-refused', as: BUYER, path: ({ workspaceId }) => paths.permissions(workspaceId) },
  { name: 'groups', as: ADMIN, path: ({ workspaceId }) => paths.groups(workspaceId) },
  { name: 'group', as: ADMIN, path: ({ workspaceId, groupId }) => paths.group(workspaceId, groupId) },
  {
    name: 'group-end',
    as: ADMIN,
    path: ({ workspaceId, groupId }) => paths.group(workspaceId, groupId),
    act: async (page) => {
      const end = page.getByRole('switch', { name: 'Access ends' })
      if (await end.isChecked()) await end.click()
      await end.and(page.locator(':not(:checked)')).click()
    },
  },
  { name: 'people', as: ADMIN, path: ({ workspaceId }) => paths.people(workspaceId) },
  { name: 'activities', as: ADMIN, path: ({ workspaceId }) => paths.activities(workspaceId) },
  { name: 'engagement', as: ADMIN, path: ({ workspaceId }) => paths.engagement(workspaceId) },
  {
    name: 'activities-file',
    as: ADMIN,
    path: ({ workspaceId, fileId }) => paths.activities(workspaceId, { subject_type: 'Asset', subject_id: fileId }),
  },
  { name: 'settings', as: ADMIN, path: ({ workspaceId }) => paths.settings(workspaceId) },
  { name: 'team', as: ADMIN, path: ({ teamId }) => paths.team(teamId) },
  { name: 'organization', as: ADMIN, path: paths.organization },
  { name: 'organization-refused', as: BUYER, path: paths.organization },
  {
    name: 'system',
    as: ADMIN,
    path: paths.system,
    act: async (page) => {
      await page.getByRole('button', { name: /^(Examine|Untersuchen)$/ }).click()
      await page.getByText(/^(Examined|Untersucht)/).waitFor()
    },
  },
  { name: 'news', as: ADMIN, path: () => paths.news() },
  { name: 'news-buyer', as: BUYER, path: () => paths.news() },
  { name: 'account', as: ADMIN, path: paths.account },
  {
    name: 'account-new-key',
    as: ADMIN,
    path: paths.account,
    act: (page) => page.getByRole('button', { name: 'New key' }).click(),
  },
  {
    name: 'files-move',
    as: ADMIN,
    path: ({ workspaceId, folderId, fileId }) => paths.files(workspaceId, folderId, { file: fileId }),
    act: async (page) => {
      const main = page.getByRole('main')
      await main.getByRole('row', { name: /Audited accounts 2025/ }).click({ button: 'right' })
      await page.getByRole('menuitem', { name: /^Move to/ }).click()
      await page.getByRole('dialog').getByText('Term sheets').click()
    },
  },
  {
    name: 'permissions-who',
    as: ADMIN,
    path: ({ workspaceId, folderId }) => paths.permissions(workspaceId, { who: folderId }),
  },
  {
    name: 'permissions-compare',
    as: ADMIN,
    path: ({ workspaceId, groupId }) => paths.permissions(workspaceId, { group: groupId }),
    act: async (page) => {
      await page.getByRole('button', { name: /^Groups: / }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Lenders' }).click()
      await page.keyboard.press('Escape')
    },
  },
  { name: 'view-as', as: ADMIN, path: ({ workspaceId, groupId }) => paths.viewAs(workspaceId, { group: groupId }) },
  {
    name: 'view-as-search',
    as: ADMIN,
    path: ({ workspaceId, groupId }) => paths.viewAs(workspaceId, { group: groupId, q: 'accounts' }, 'search'),
  },
  {
    name: 'view-as-download',
    as: ADMIN,
    path: ({ workspaceId, groupId, folderId }) => paths.viewAs(workspaceId, { group: groupId }, folderId),
    act: (page) => page.keyboard.press('Control+a'),
  },
  {
    name: 'view-as-file',
    as: ADMIN,
    path: ({ workspaceId, groupId, folderId, fileId }) =>
      paths.viewAs(workspaceId, { group: groupId, file: fileId }, folderId),
  },
  {
    name: 'view-as-viewer',
    as: ADMIN,
    path: ({ workspaceId, groupId, fileId }) => paths.view(workspaceId, fileId, { group: groupId }),
  },
  {
    name: 'team-watermark',
    as: ADMIN,
    path: ({ teamId }) => paths.team(teamId),
    act: (page) => page.getByRole('button', { name: 'Add a placement' }).click(),
  },
  {
    name: 'activities-unread',
    as: ADMIN,
    path: ({ workspaceId }) => paths.activities(workspaceId),
    act: (page) => page.getByRole('button', { name: 'Not yet opened' }).click(),
  },
  {
    name: 'people-add',
    as: ADMIN,
    path: ({ workspaceId }) => paths.people(workspaceId),
    act: (page) => page.getByRole('button', { name: 'Add person' }).click(),
  },
  { name: 'welcome', as: BUYER, path: ({ workspaceId }) => paths.welcome(workspaceId) },
  { name: 'invitation', path: () => invitation },
  { name: 'questions', as: ADMIN, path: ({ workspaceId }) => paths.questions(workspaceId) },
  {
    name: 'question',
    as: ADMIN,
    path: ({ workspaceId }) => paths.questions(workspaceId),
    act: (page) => page.getByText('Nordlink and a change of control').click(),
  },
  {
    name: 'questions-board',
    as: ADMIN,
    path: ({ workspaceId }) => paths.questions(workspaceId),
    act: (page) => page.getByRole('button', { name: /^(Board|Tafel)$/ }).click(),
  },
  {
    name: 'questions-faq',
    as: BUYER,
    path: ({ workspaceId }) => paths.questions(workspaceId),
    act: (page) => page.getByRole('button', { name: 'FAQ' }).click(),
  },
  { name: 'questions-buyer', as: BUYER, path: ({ workspaceId }) => paths.questions(workspaceId) },
  { name: 'questions-expert', as: COUNSEL, path: ({ workspaceId }) => paths.questions(workspaceId) },
  { name: 'terms', as: ADMIN, path: ({ workspaceId }) => paths.issuedTerms(workspaceId) },
  { name: 'terms-accepted', as: BUYER, path: ({ workspaceId }) => paths.terms(workspaceId) },
  {
    name: 'terms-again',
    as: LENDER,
    path: ({ otherId }) => paths.terms(otherId),
    act: (page) => page.getByRole('button', { name: /^(What changed since|Was sich seit)/ }).click(),
  },
  {
    name: 'publish',
    as: ADMIN,
    path: ({ workspaceId }) => paths.files(workspaceId),
    act: (page) => page.getByRole('button', { name: /^(Publish|Veröffentlichen)…$/ }).click(),
  },
  {
    name: 'staged-review',
    as: ADMIN,
    path: ({ workspaceId }) => paths.permissions(workspaceId),
    act: (page) => page.getByRole('button', { name: /^(Review and publish|Prüfen und veröffentlichen)$/ }).click(),
  },
  { name: 'draft-group', as: ADMIN, path: ({ workspaceId, draftGroupId }) => paths.group(workspaceId, draftGroupId) },
  {
    name: 'new-workspace',
    as: ADMIN,
    path: paths.home,
    act: (page) => page.getByRole('button', { name: /^(New workspace|Neuer Datenraum)$/ }).click(),
  },
  {
    name: 'templates',
    as: ADMIN,
    path: ({ teamId }) => paths.team(teamId),
    act: (page) => showPart(page, /^(Templates|Vorlagen)$/),
  },
  {
    name: 'branding',
    as: ADMIN,
    path: ({ workspaceId }) => paths.settings(workspaceId),
    act: (page) => showPart(page, /^(Branding|Erscheinungsbild)$/),
  },
  {
    name: 'notifications',
    as: ADMIN,
    path: paths.account,
    act: (page) => showPart(page, /^(Mails of news|E-Mails über Neues)$/),
  },
  { name: 'sealed-code', as: BUYER, path: () => '/sealed/open' },
  { name: 'not-found', as: ADMIN, path: () => '/nowhere' },
  // Last, because its tray stays open on the pages that follow.
  {
    name: 'downloads',
    as: ADMIN,
    path: ({ workspaceId }) => paths.files(workspaceId),
    act: async (page) => {
      await page
        .getByRole('main')
        .getByRole('row', { name: /Corporate/ })
        .click()
      await page.getByRole('main').getByRole('button', { name: 'Download' }).click({ timeout: 5000 })
    },
  },
]

await ensureDashboard(console.log)
await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
const stack = await startStack()
const browser = await chromium.launch(await findBrowser(console.log))
let invitation = paths.signIn()
try {
  await documentsRead(browser, stack.url)
  invitation = await findInvitation(stack.dataDir, INVITED)
  for (const look of LOOKS) await shootAll(browser, stack.url, look)
  console.log(`The screenshots are in ${FOLDER}.`)
} finally {
  await browser.close()
  await stack.stop()
}

/** Scrolls to a part of the page by its heading. */
const showPart = (page: Page, title: RegExp) =>
  page.getByRole('heading', { name: title }).evaluate((heading) => heading.scrollIntoView())

/** The address in the newest mail that invites this person. */
async function findInvitation(dataDir: string, email: string): Promise<string> {
  const outbox = join(dataDir, 'outbox')
  const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml')).toSorted()
  for (const name of names.toReversed()) {
    // Soft line breaks of quoted-printable.
    const mail = (await readFile(join(outbox, name), 'utf8')).replaceAll(/=\r?\n/g, '')
    const path = /\/invitation\/\d+#[\w-]+/.exec(mail)?.[0]
    if (path && mail.includes(`To: ${email}`)) return path
  }
  return paths.signIn()
}

/** Waits until the documents of the demo have been read, so that the screenshots show them. */
async function documentsRead(browser: Browser, baseURL: string): Promise<void> {
  const context = await browser.newContext({ baseURL })
  await context.request.post('/auth/demo', { data: { email: ADMIN }, headers: { origin: baseURL } })
  const { workspaceId } = await findRoom(await context.newPage())
  const waiting = async () => {
    const reply = await context.request.get(`/api/v1/documents?workspace_id=${workspaceId}&status=waiting`)
    return ((await reply.json()) as unknown[]).length
  }
  while ((await waiting()) > 0) await setTimeout(1000)
  await context.close()
}

async function shootAll(browser: Browser, url: string, { name, width, colorScheme, locale }: Look): Promise<void> {
  const shots = SHOTS.map((shot) => ({ ...shot, file: `${shot.name}-${name}.png` })).filter(({ file }) =>
    file.includes(only),
  )
  for (const as of [undefined, ADMIN, BUYER, LENDER, COUNSEL]) {
    const context = await browser.newContext({
      baseURL: url,
      colorScheme,
      locale,
      reducedMotion: 'reduce',
      timezoneId: 'Europe/Lisbon',
      viewport: { width, height: width > 600 ? 900 : 844 },
    })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const loaded = whenLoaded(page)
    if (as) await context.request.post('/auth/demo', { data: { email: as }, headers: { origin: url } })
    const room = as ? await findRoom(page) : NO_ROOM
    for (const shot of shots.filter((each) => each.as === as)) {
      await page.goto(shot.path(room))
      await loaded()
      // On a narrow screen some controls are behind a menu; the page as it opens is still worth a screenshot.
      await shot.act?.(page).catch(() => undefined)
      await loaded()
      // On a busy machine, painting lags a few frames behind the DOM.
      await page.waitForTimeout(300)
      await page.screenshot({ path: join(FOLDER, shot.file), animations: 'disabled' })
    }
    await context.close()
  }
}

/**
 * Returns a function that waits until no request has been open for half a second. Playwright's `networkidle` counts the
 * stream of events too, which never ends, and so depends on when the stream opened.
 */
function whenLoaded(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (!request.url().endsWith('/events')) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return async () => {
    for (let quiet = 0; quiet < 5; quiet = open.size === 0 ? quiet + 1 : 0) await setTimeout(100)
  }
}

/** Finds the deal room of the demo, a folder with files that a buyer sees too, and the group Buyers. */
async function findRoom(page: Page): Promise<Room> {
  const get = async <T>(path: string) => (await (await page.request.get(`/api/v1${path}`)).json()) as T
  type Folder = { immediate_subfolders: { id: number; name: string }[]; immediate_subfiles: { id: number }[] }
  const { workspaces } = await get<{ workspaces: { id: number; team_id: number; name: string }[] }>(
    '/users/me/workspaces',
  )
  const workspace = workspaces.find(({ name }) => name === 'Project Harbour')
  const workspaceId = workspace?.id ?? 0
  const groups = await get<{ id: number; name: string; is_draft: boolean }[]>(`/groups?workspace_id=${workspaceId}`)
  const top = await get<Folder>(`/workspaces/${workspaceId}/home`)
  const finance = top.immediate_subfolders.find(({ name }) => name === 'Finance')?.id ?? 0
  const below = await get<Folder>(`/folders/${finance}?workspace_id=${workspaceId}`)
  const folderId = below.immediate_subfolders[0]?.id ?? finance
  const { immediate_subfiles } = await get<Folder>(`/folders/${folderId}?workspace_id=${workspaceId}`)
  return {
    workspaceId,
    folderId,
    fileId: immediate_subfiles[0]?.id ?? 0,
    groupId: groups.find(({ name }) => name === 'Buyers')?.id ?? 0,
    teamId: workspace?.team_id ?? 0,
    draftGroupId: groups.find(({ is_draft }) => is_draft)?.id ?? 0,
    otherId: workspaces.find(({ name }) => name === 'Series B')?.id ?? 0,
  }
}
