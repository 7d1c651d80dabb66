import type { Page } from '@playwright/test'
import { paths } from '../src/dashboard/paths.ts'
import { type Role, ROLES, type Room } from './room.ts'

/** Translates an English text of the dashboard into the language of the test. */
export type Words = (english: string) => string

/** Something that opens on a page. */
export interface Opened {
  name: string
  open: (page: Page, words: Words, room: Room) => Promise<unknown>
}

export interface DashboardPage {
  /** The path of the module below src/dashboard/pages, as in routes.tsx. */
  module: string
  path: (room: Room) => string
  /** The heading that each role sees: that of the page or that of a refusal. */
  headings: (room: Room) => Record<Role, string>
  /** Dialogs, menus and panels that are checked besides the page itself. */
  opened?: Opened[]
}

/** The pages with switches, whose every switch is pressed in switches.e2e.ts. */
export const WITH_SWITCHES = ['groups/group-page', 'settings/settings-page', 'teams/team-page', 'account/account-page']

export const NOTHING = 'There is nothing at this address'
export const FORBIDDEN = 'You may not see this'

const forEach = (heading: (role: Role) => string) =>
  Object.fromEntries(ROLES.map((role) => [role, heading(role)])) as Record<Role, string>

const everybody = (heading: string) => forEach(() => heading)

/** Headings of a page in the workspace, of which organization admins and team owners as such are not members. */
const inside = (admin: string, member: string, of: Partial<Record<Role, string>> = {}) =>
  forEach((role) => {
    if (role === 'organization admin' || role === 'team owner') return NOTHING
    return of[role] ?? (role === 'workspace admin' ? admin : member)
  })

const button = (label: string): Opened => ({
  name: label,
  open: (page, words) =>
    page
      .getByRole('button', { name: words(label), exact: true })
      .first()
      .click(),
})

const key = (name: string, press: string, role: 'dialog' | 'complementary', title: string): Opened => ({
  name,
  open: async (page, words) => {
    const opened = page.getByRole(role, { name: words(title) })
    // A page listens to keys a moment after its heading is there.
    for (let tries = 0; tries < 5 && !(await opened.isVisible()); tries++) {
      await page.keyboard.press(press)
      await opened.waitFor({ timeout: 5000 }).catch(() => {})
    }
    await opened.waitFor()
  },
})

const memo = (page: Page) => page.getByRole('main').getByRole('row').filter({ hasText: 'Memo.pdf' })

const fromMenuOfMemo = (label: string): Opened => ({
  name: label,
  open: async (page, words) => {
    await memo(page).click({ button: 'right' })
    await page
      .getByRole('menuitem')
      .filter({ hasText: words(label) })
      .click()
    await page.getByRole('dialog').waitFor()
  },
})

const fromMore = (label: string): Opened => ({
  name: label,
  open: async (page, words) => {
    await page.getByRole('button', { name: words('More'), exact: true }).click()
    await page.getByRole('menuitem', { name: words(label), exact: true }).click()
  },
})

/** A button in a table or list by its index; a negative index counts from the end. */
const buttonIn = (name: string, role: 'table' | 'list', list: string, which: number): Opened => ({
  name,
  open: (page, words) =>
    page
      .getByRole(role, { name: words(list) })
      .getByRole('button')
      .nth(which)
      .click(),
})

/** An entry in the menu of Tom Becker; no test confirms the dialog that it opens. */
const fromMenuOfUser = (label: string): Opened => ({
  name: label,
  open: async (page, words) => {
    await rowButton(page, 'Tom Becker').click()
    await page.getByRole('menuitem', { name: words(label), exact: true }).click()
  },
})

/** The question about unsaved changes: types into a field and follows a link to another page. */
const discarding = (label: string): Opened => ({
  name: 'unsaved changes',
  open: async (page, words) => {
    await page
      .getByRole('main')
      .getByRole('textbox', { name: words(label) })
      .first()
      .fill('12')
    await page.getByRole('navigation').getByRole('link').nth(1).click()
    await page.getByRole('alertdialog').waitFor()
  },
})

const accountMenu: Opened = {
  name: 'account menu',
  open: (page) => page.locator('header [aria-haspopup="menu"]').last().click(),
}

const homePage: DashboardPage = {
  module: 'home/home-page',
  path: paths.home,
  headings: () => everybody('Spaces'),
  opened: [
    button('New workspace'),
    button('New team'),
    accountMenu,
    key('commands', 'Control+k', 'dialog', 'Commands'),
    key('shortcuts', '?', 'dialog', 'Keyboard shortcuts'),
  ],
}

const menuOfPerson = (page: Page) => page.getByRole('main').locator('[aria-haspopup="menu"]').first()

const filesPage: DashboardPage = {
  module: 'files/files-page',
  path: ({ workspaceId, folderId }) => paths.files(workspaceId, folderId),
  headings: () => inside('1 Papers', '1 Papers'),
  opened: [
    { name: 'details', open: (page) => memo(page).click() },
    { name: 'context menu', open: (page) => memo(page).click({ button: 'right' }) },
    button('New folder'),
    button('Upload'),
    fromMenuOfMemo('Move to…'),
    fromMenuOfMemo('Delete…'),
    {
      name: 'files found',
      open: async (page) => {
        await page.keyboard.press('/')
        await page.keyboard.type('memo')
        await page.getByRole('option').first().waitFor()
      },
    },
  ],
}

const permissionsPage: DashboardPage = {
  module: 'permissions/permissions-page',
  path: ({ workspaceId, groupId }) => paths.permissions(workspaceId, { group: groupId }),
  headings: () => inside('Access', 'Access'),
  opened: [
    button('Expand all'),
    button('More'),
    fromMore('Who can see All Folders?'),
    fromMore('Import from CSV…'),
    {
      name: 'preview of an import',
      open: async (page, words, { folderId, groupId }) => {
        await fromMore('Import from CSV…').open(page, words, {} as Room)
        const buffer = Buffer.from(
          `Folder ID,Folder,Group ID,Group,View,Download,Upload\n${folderId},Papers,${groupId},Readers,yes,yes,no\n7,x,x,x,x,x,x`,
        )
        const file = { name: 'memo', mimeType: 'text/csv', buffer }
        await page.locator('input[type=file][accept*=csv]').setInputFiles(file)
        await page.getByRole('dialog').getByRole('table').waitFor()
      },
    },
  ],
}

/** Every page of routes.tsx; a test in pages.e2e.ts fails if one is missing. */
export const PAGES: readonly DashboardPage[] = [
  homePage,
  {
    module: 'teams/team-page',
    path: ({ teamId }) => paths.team(teamId),
    headings: ({ teamName }) => ({ ...everybody(NOTHING), 'organization admin': teamName, 'team owner': teamName }),
    opened: [
      button('Add a placement'),
      button('Hand over'),
      buttonIn('remove a member', 'list', 'Members', -1),
      discarding('Name'),
    ],
  },
  {
    module: 'organization/organization-page',
    path: paths.organization,
    headings: ({ organization }) => ({ ...everybody(FORBIDDEN), 'organization admin': organization }),
    opened: [
      button('New user'),
      { name: 'user menu', open: (page) => rowButton(page, 'Ines Carvalho').click() },
      fromMenuOfUser('Make organization admin'),
      fromMenuOfUser('Delete'),
    ],
  },
  {
    module: 'system/system-page',
    path: paths.system,
    headings: () => ({ ...everybody(FORBIDDEN), 'organization admin': 'System' }),
    opened: [],
  },
  {
    module: 'news/news-page',
    path: () => paths.news(),
    headings: () => everybody('News'),
  },
  {
    module: 'account/account-page',
    path: paths.account,
    headings: () => everybody('Account'),
    opened: [
      button('New key'),
      button('Sign out everywhere else'),
      buttonIn('new secret', 'table', 'Personal API keys', 0),
      buttonIn('revoke', 'table', 'Personal API keys', 1),
      {
        name: 'the secret',
        open: async (page, words, room) => {
          await buttonIn('new secret', 'table', 'Personal API keys', 0).open(page, words, room)
          await page.getByRole('dialog').locator('button[type=submit]').click()
          await page.getByRole('textbox', { name: words('Secret key') }).waitFor()
        },
      },
    ],
  },
  filesPage,
  {
    module: 'viewer/view-page',
    path: ({ workspaceId, fileId }) => paths.view(workspaceId, fileId),
    headings: () => inside('Memo.pdf', 'Memo.pdf'),
    opened: [key('versions', 'v', 'complementary', 'Versions'), key('shortcuts', '?', 'dialog', 'Keyboard shortcuts')],
  },
  {
    module: 'search/search-page',
    path: ({ workspaceId }) => paths.search(workspaceId, 'memo'),
    headings: () => inside('Results for “memo”', 'Results for “memo”'),
  },
  {
    module: 'trash/trash-page',
    path: ({ workspaceId }) => paths.trash(workspaceId),
    headings: () => inside('Recently deleted', FORBIDDEN),
    opened: [{ name: 'what is selected', open: (page) => page.getByRole('checkbox').last().click() }],
  },
  permissionsPage,
  {
    module: 'files/view-as/view-as-page',
    path: ({ workspaceId, groupId }) => paths.viewAs(workspaceId, { group: groupId }),
    headings: ({ name }) => inside(name, FORBIDDEN),
  },
  {
    module: 'questions/view-as/seen-questions-page',
    path: ({ workspaceId, groupId }) => paths.viewAs(workspaceId, { group: groupId }, 'questions'),
    headings: () => inside('Questions', FORBIDDEN),
  },
  {
    module: 'search/seen-search-page',
    path: ({ workspaceId, groupId }) => paths.viewAs(workspaceId, { group: groupId, q: 'memo' }, 'search'),
    headings: () => inside('Results for “memo”', FORBIDDEN),
  },
  {
    module: 'welcome/seen-welcome-page',
    path: ({ workspaceId, groupId }) => paths.viewAs(workspaceId, { group: groupId }, 'welcome'),
    headings: ({ name }) => inside(name, FORBIDDEN),
  },
  {
    module: 'groups/groups-page',
    path: ({ workspaceId }) => paths.groups(workspaceId),
    headings: () => inside('Groups', 'Your groups'),
    opened: [button('New group')],
  },
  {
    module: 'groups/group-page',
    path: ({ workspaceId, groupId }) => paths.group(workspaceId, groupId),
    headings: () => inside('Group reader', NOTHING, { reader: 'Group reader' }),
    opened: [
      button('Rename'),
      button('Delete'),
      buttonIn('remove a member', 'list', 'Members', -1),
      {
        name: 'people who were refused',
        open: async (page, words) => {
          await page.getByRole('combobox', { name: words('Name or e-mail addresses') }).fill('1@, 2@')
          await page.keyboard.press('Enter')
          await page.locator('main form:has([role=combobox]) button[type=submit]').click()
          await page.getByRole('alert').waitFor()
        },
      },
    ],
  },
  {
    module: 'people/people-page',
    path: ({ workspaceId }) => paths.people(workspaceId),
    headings: () => inside('People', FORBIDDEN),
    opened: [
      {
        name: 'a filter that is filled',
        open: async (page, words) => {
          await page.getByRole('searchbox', { name: words('Filter people') }).fill('e')
          await page.getByRole('button', { name: words('Clear'), exact: true }).waitFor()
        },
      },
      button('Add person'),
      { name: 'menu of a person', open: (page) => menuOfPerson(page).click() },
      {
        name: 'Remove from the workspace',
        open: async (page, words) => {
          await menuOfPerson(page).click()
          await page.getByRole('menuitem', { name: words('Remove from the workspace') }).click()
        },
      },
    ],
  },
  {
    module: 'activities/activities-page',
    path: ({ workspaceId }) => paths.activities(workspaceId),
    headings: () => inside('Activity', 'Your activity'),
    opened: [button('Not yet opened')],
  },
  {
    module: 'engagement/engagement-page',
    path: ({ workspaceId }) => paths.engagement(workspaceId),
    headings: () => inside('Activity', FORBIDDEN),
    opened: [button('Folders'), buttonIn('people of a group', 'list', 'Groups by reading time', 0)],
  },
  {
    module: 'documents/documents-page',
    path: ({ workspaceId }) => paths.documents(workspaceId),
    headings: () => inside('Documents', FORBIDDEN),
  },
  {
    module: 'questions/questions-page',
    path: ({ workspaceId }) => paths.questions(workspaceId),
    headings: () => inside('Questions', 'Questions'),
  },
  {
    module: 'welcome/welcome-page',
    path: ({ workspaceId }) => paths.welcome(workspaceId),
    headings: ({ name }) => inside(name, name),
  },
  {
    module: 'settings/settings-page',
    path: ({ workspaceId }) => paths.settings(workspaceId),
    headings: () => inside('Settings', FORBIDDEN),
  },
  {
    module: 'terms/terms-page',
    path: ({ workspaceId }) => paths.terms(workspaceId),
    headings: () => inside('No terms bind you here', 'No terms bind you here'),
  },
  {
    module: 'terms/administration/issued-terms-page',
    path: ({ workspaceId }) => paths.issuedTerms(workspaceId),
    headings: () => inside('Terms', FORBIDDEN),
  },
  {
    module: 'sealed/open-sealed-page',
    path: () => '/sealed/open',
    headings: () => everybody('Open a sealed document'),
    opened: [
      {
        name: 'a wrong code',
        open: async (page) => {
          await page.getByRole('textbox').fill('AAAA-AAAA')
          await page.keyboard.press('Enter')
          await page.getByRole('alert').waitFor()
        },
      },
      { name: 'apart from its document', open: (page) => page.goto('/sealed/open?workspace=1&copy=c&challenge=d') },
    ],
  },
  {
    module: 'sign-in/invitation/invitation-page',
    path: ({ workspaceId }) => `/invitation/${workspaceId}#none`,
    headings: ({ name }) => inside(name, name),
  },
  { module: 'sign-in/about-you-page', path: () => paths.aboutYou('/'), headings: () => everybody('Spaces') },
  { module: 'sign-in/sign-in-page', path: () => paths.signIn(), headings: () => everybody('Spaces') },
]

const rowButton = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('button')

/** Navigates as a click on a link does, without reloading the dashboard. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((path) => {
    const { idx = 0 } = (history.state ?? {}) as { idx?: number }
    history.pushState({ idx: idx + 1, key: String(Math.random()).slice(2) }, '', path)
    window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, path)
}
