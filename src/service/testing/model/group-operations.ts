import fc from 'fast-check'
import { api } from '../../../contract/index.ts'
import { FLAGS, type Flag } from '../../../contract/endpoints/permissions.ts'
import {
  act,
  folderOf,
  groupOf,
  groupsOf,
  isAdmin,
  isAdminGroup,
  isMember,
  knows,
  type Model,
  type ModelFolder,
  type ModelGroup,
  NONE,
  personOf,
  type Rights,
  setRights,
  settingOf,
  syncTeamAdmins,
  takeOut,
} from './model.ts'
import {
  administer,
  anyone,
  demand,
  enterFolder,
  type Operation,
  pick,
  pickFolder,
  place,
  plan,
  someone,
  userOf,
} from './operations.ts'
import type { Run } from './run.ts'

const NAMES = ['Bidders', 'Lenders', 'Advisers']
const MAX_GROUPS = 6

/** Mostly a custom group, sometimes All Members, rarely an admin group. */
function pickGroup(model: Model, at: number): ModelGroup | undefined {
  const custom = model.groups.filter(({ kind }) => kind === 'custom')
  if (at % 20 === 19) return pick(model.groups, Math.floor(at / 20))
  return at % 20 > 16 ? groupOf(model, 'all_members') : (pick(custom, Math.floor(at / 20)) ?? model.groups[0])
}

function administeredGroup(model: Model, user: number, id: number): ModelGroup {
  administer(model, user)
  const group = model.groups.find((each) => each.id === id)
  demand(group, 404)
  return group
}

const set = plan(
  'grant or revoke',
  fc.record({
    by: someone,
    group: place,
    at: place,
    verb: fc.constantFrom('grant' as const, 'grant' as const, 'grant' as const, 'revoke' as const),
    flag: fc.constantFrom(...FLAGS),
  }),
  (model, { by, group, at, verb, flag }) => {
    const chosen = { id: pickFolder(model, at), group_id: pickGroup(model, group)?.id ?? 0, verb, flag }
    return setRight(userOf(model, by), model.workspace_id, chosen)
  },
)

export const setRight = (
  user: number,
  workspace_id: number,
  { id, group_id, verb, flag }: { id: number; group_id: number; verb: 'grant' | 'revoke'; flag: Flag },
): Operation => ({
  user,
  endpoint: api.permissions.set,
  call: { params: { id }, body: { workspace_id, group_id, verb, folder_action: flag } },
  apply(after) {
    const group = administeredGroup(after, user, group_id)
    const folder = enterFolder(after, user, id)
    demand(!isAdminGroup(group), 422)
    setRights(after, group_id, folder, settingOf(verb, flag))
    const word = verb === 'grant' ? 'granted' : 'revoked'
    const message = `${word} ${flag} access to ${folder.name} for group: ${group.name}`
    act(after, user, message)
    return { message }
  },
})

const change = fc.record({
  group: fc.nat({ max: 339 }),
  at: place,
  rights: fc.constantFrom<Partial<Rights> | null>(
    null,
    { view: true },
    { view: false },
    { download: true },
    { download: false },
    { upload: true },
    { view: true, download: true, upload: true },
    { view: true, download: false, upload: false },
  ),
})

/** Changes many rights at once; with `undo`, then applies the inverse that the service returned. */
const changeMany = (undo: boolean) =>
  plan(
    undo ? 'change many rights and undo it' : 'change many rights',
    fc.record({ by: someone, changes: fc.array(change, { minLength: 1, maxLength: 4 }) }),
    (model, { by, changes }) => {
      const { workspace_id } = model
      const user = userOf(model, by)
      const wanted = changes.map((each) => ({
        folder_id: pickFolder(model, each.at),
        group_id: pickGroup(model, each.group)?.id ?? 0,
        rights: each.rights,
      }))
      const call = { body: { workspace_id, changes: wanted } }
      return {
        user,
        endpoint: api.permissions.change,
        call,
        async send(run: Run) {
          const done = await run.request(user, api.permissions.change, call)
          if (done.status !== 200 || !undo) return done
          const { inverse } = done.body
          if (inverse.length === 0) return done
          const undone = await run.request(user, api.permissions.change, { body: { workspace_id, changes: inverse } })
          return { ...undone, body: { ...done.body, undone: undone.body } }
        },
        apply(after, body: { inverse: Change[]; undone?: object }) {
          administer(after, user)
          for (const { group_id } of wanted) {
            demand(!isAdminGroup(administeredGroup(after, user, group_id)), 422)
          }
          for (const { folder_id } of wanted) demand(folderOf(after, folder_id), 404)
          const before = liveRights(after)
          setMany(after, wanted)
          if (body.undone === undefined) return
          setMany(after, body.inverse)
          if (liveRights(after) !== before) throw new Error('the inverse does not bring back exactly what was')
        },
      }
    },
  )

type Change = { folder_id: number; group_id: number; rights: Partial<Rights> | null }

function setMany(model: Model, changes: Change[]): void {
  for (const { folder_id, group_id, rights } of changes) {
    setRights(model, group_id, model.folders[folder_id] as ModelFolder, settingFrom(rights))
  }
}

/** Rights on folders that are not in the trash. */
const liveRights = (model: Model) =>
  JSON.stringify(
    Object.values(model.folders)
      .filter(({ deletion }) => deletion === undefined)
      .map(({ id, rights }) => [id, model.groups.map((group) => Object.entries(rights[group.id] ?? NONE).toSorted())]),
  )

function settingFrom(rights: Partial<Rights> | null) {
  if (rights === null) return null
  if (rights.download || rights.upload) return { ...rights, view: true }
  return rights.view === false ? { view: false, download: false, upload: false } : rights
}

const create = plan(
  'create a group',
  fc.record({ by: someone, name: fc.constantFrom(...NAMES), managing: fc.boolean() }),
  (model, { by, name, managing }) => {
    if (model.groups.length >= MAX_GROUPS) return undefined
    const { workspace_id } = model
    const user = userOf(model, by)
    return {
      user,
      endpoint: api.groups.create,
      call: { body: { group: { name, workspace_id, file_managing_abilities: managing } } },
      apply(after, { id }) {
        administer(after, user)
        after.groups.push({ ...emptyGroup(id, name), managing })
        act(after, user, `added the group: ${name}`)
        return { id, name, file_managing_abilities: managing, kind: 'custom' }
      },
    }
  },
)

export const emptyGroup = (id: number, name: string, kind: ModelGroup['kind'] = 'custom'): ModelGroup => ({
  id,
  name,
  kind,
  members: [],
  managing: false,
  drm: false,
  drmLastDay: null,
  watermarked: false,
  expires: null,
})

const update = plan(
  'update a group',
  fc.record({
    by: someone,
    group: place,
    name: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
    managing: fc.option(fc.boolean(), { nil: undefined }),
  }),
  (model, { by, group: at, name, managing }) => {
    const { workspace_id } = model
    const user = userOf(model, by)
    const id = pickGroup(model, at)?.id ?? 0
    const settings = {
      ...(name !== undefined && { name }),
      ...(managing !== undefined && { file_managing_abilities: managing }),
    }
    return {
      user,
      endpoint: api.groups.update,
      call: { params: { id }, body: { workspace_id, group: settings } },
      apply(after) {
        const group = administeredGroup(after, user, id)
        const wanted = { name: name ?? group.name, managing: managing ?? group.managing }
        demand(group.kind === 'custom' || wanted.name === group.name, 422)
        demand(!isAdminGroup(group) || !wanted.managing, 422)
        const messages: string[] = []
        if (wanted.name !== group.name) messages.push(`renamed the group ${group.name} to ${wanted.name}`)
        if (wanted.managing !== group.managing) {
          messages.push(`updated file_managing_abilities for group: ${wanted.name}`)
        }
        act(after, user, ...(messages.length > 0 ? messages : [`updated the group: ${wanted.name}`]))
        Object.assign(group, wanted)
        return { id, name: group.name, file_managing_abilities: group.managing }
      },
    }
  },
)

const remove = plan('delete a group', fc.record({ by: someone, group: place }), (model, { by, group: at }) => {
  const { workspace_id } = model
  const user = userOf(model, by)
  const id = pickGroup(model, at)?.id ?? 0
  return {
    user,
    endpoint: api.groups.remove,
    call: { params: { id }, query: { workspace_id } },
    apply(after) {
      const group = administeredGroup(after, user, id)
      demand(group.kind === 'custom', 422)
      after.groups = after.groups.filter((each) => each !== group)
      for (const folder of Object.values(after.folders)) delete folder.rights[id]
      act(after, user, `deleted the group: ${group.name}`)
      const leaving = group.members.filter((member) =>
        groupsOf(after, member).every(({ kind }) => kind === 'all_members'),
      )
      for (const member of leaving) leave(after, user, member)
      return { id, name: group.name }
    },
  }
})

function leave(model: Model, user: number, member: number): void {
  for (const group of model.groups) takeOut(group.members, member)
  act(model, user, `removed ${personOf(model, member).email} from this workspace`)
}

const addMember = plan(
  'add a member',
  fc.record({ by: someone, group: place, member: anyone, email: fc.boolean() }),
  (model, { by, group: at, member, email }) => {
    const { workspace_id } = model
    const user = userOf(model, by)
    const id = pickGroup(model, at)?.id ?? 0
    const added = personOf(model, userOf(model, member))
    const isKnown = knows(model, user, added.id)
    const named = email || !isKnown ? { email: added.email } : { user_id: added.id }
    return {
      user,
      endpoint: api.groups.addMember,
      call: { params: { id }, body: { workspace_id, ...named, send_email: false } },
      apply(after) {
        join(after, user, administeredGroup(after, user, id), added.id)
        return { id: added.id, email: added.email }
      },
    }
  },
)

function join(model: Model, user: number, group: ModelGroup, member: number): void {
  const { email, team } = personOf(model, member)
  demand(group.kind !== 'team_admins' || team, 422)
  const isNew = !group.members.includes(member)
  const joins = !isMember(model, member)
  const kinds = ['all_members', ...(isAdminGroup(group) ? ['workspace_admins'] : [])]
  for (const each of model.groups) {
    if (each !== group && !kinds.includes(each.kind)) continue
    if (!each.members.includes(member)) each.members.push(member)
  }
  if (isAdminGroup(group)) syncTeamAdmins(model)
  if (isNew) act(model, user, `added ${email} to group ${group.name}`)
  if (joins) act(model, user, `added ${email} to this workspace`)
}

/** Inviting an unknown address creates an invited user. */
const invite = plan('invite', fc.record({ by: someone, group: place }), (model, { by, group: at }) => {
  if (model.people.some(({ email }) => email.startsWith('guest'))) return undefined
  const { workspace_id } = model
  const user = userOf(model, by)
  const id = pickGroup(model, at)?.id ?? 0
  const email = `guest-${workspace_id}@example.com`
  const call = { params: { id }, body: { workspace_id, email } }
  return {
    user,
    endpoint: api.groups.addMember,
    call,
    async send(run: Run) {
      const answer = await run.request(user, api.groups.addMember, call)
      if (answer.status === 201) await run.learn(answer.body.id)
      return answer
    },
    apply(after, body: { id: number }) {
      const group = administeredGroup(after, user, id)
      demand(group.kind !== 'team_admins', 422)
      after.people.push({ id: body.id, email, team: false })
      join(after, user, group, body.id)
      return { email, status: 'invited', user_token: '', jti: '' }
    },
  }
})

const removeMember = plan(
  'remove a member',
  fc.record({ by: someone, group: place, member: anyone }),
  (model, { by, group: at, member }) => {
    const { workspace_id } = model
    const user = userOf(model, by)
    const id = pickGroup(model, at)?.id ?? 0
    const user_id = userOf(model, member)
    return {
      user,
      endpoint: api.groups.removeMember,
      call: { params: { id }, query: { workspace_id, user_id } },
      apply(after) {
        const group = administeredGroup(after, user, id)
        demand(group.members.includes(user_id), 404)
        const removed = personOf(after, user_id)
        if (isAdmin(after, user_id) && group.kind !== 'custom') {
          demand(!removed.team || personOf(after, user).team, 403)
          demand(groupOf(after, 'workspace_admins').members.length > 1, 409)
        }
        const gone = isAdminGroup(group) ? after.groups.filter(isAdminGroup) : [group]
        for (const each of gone) takeOut(each.members, user_id)
        act(after, user, `removed ${removed.email} from group ${group.name}`)
        const others = groupsOf(after, user_id).filter(({ kind }) => kind !== 'all_members')
        if (group.kind === 'all_members' || others.length === 0) leave(after, user, user_id)
      },
    }
  },
)

/** Acts as the owner of the team, who is not in the workspace. */
const changeTeam = plan(
  'change the team',
  fc.record({ member: anyone, adds: fc.boolean() }),
  (model, { member, adds }) => {
    const user_id = userOf(model, member)
    const params = { id: model.team_id }
    const user = OWNER
    if (adds) {
      return {
        user,
        endpoint: api.teams.addMember,
        call: { params, body: { email: personOf(model, user_id).email } },
        apply(after: Model) {
          if (personOf(after, user_id).team) demand(false, 409)
          setTeam(after, user_id, true)
        },
      }
    }
    return {
      user,
      endpoint: api.teams.removeMember,
      call: { params, query: { user_id } },
      apply(after: Model) {
        demand(personOf(after, user_id).team, 404)
        setTeam(after, user_id, false)
      },
    }
  },
)

/** Stands for the team owner in operations. */
export const OWNER = -1

function setTeam(model: Model, user: number, team: boolean): void {
  personOf(model, user).team = team
  syncTeamAdmins(model)
}

type Patch = (
  model: Model,
  group: ModelGroup,
) => { settings: object; status?: number; messages: string[]; apply(): void }

function switching(
  name: string,
  choices: readonly { key: string; patch: Patch; call(model: Model): object | undefined }[],
) {
  return plan(
    name,
    fc.record({ by: someone, group: place, choice: fc.constantFrom(...choices.map(({ key }) => key)) }),
    (model, { by, group: at, choice }) => {
      const { workspace_id } = model
      const user = userOf(model, by)
      const id = pickGroup(model, at)?.id ?? 0
      const { patch, call, key } = choices.find((each) => each.key === choice) as (typeof choices)[number]
      const group = call(model)
      return {
        user,
        endpoint: api.groups[key.split(' ')[0] as 'setDrm'],
        call: { params: { id }, body: { workspace_id, ...(group && { group }) } },
        apply(after) {
          const found = administeredGroup(after, user, id)
          const { status, messages, apply, settings } = patch(after, found)
          if (status !== undefined) demand(false, status)
          apply()
          act(after, user, ...messages)
          return { id, ...settings }
        },
      }
    },
  )
}

const daysAfter = (today: string, days: number) =>
  new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)

const drm = (key: string, drm_enabled: boolean, days?: number) => ({
  key,
  call: ({ today }: Model) => ({
    drm_enabled,
    ...(days !== undefined && { drm_expires_after: daysAfter(today, days) }),
  }),
  patch: ({ today }: Model, group: ModelGroup) => {
    const word = drm_enabled ? 'granted' : 'revoked'
    const lastDay = days === undefined ? undefined : daysAfter(today, days)
    return {
      ...(isAdminGroup(group) && { status: 422 }),
      messages: [
        `${word} DRM rights for group: ${group.name}`,
        ...(lastDay === undefined ? [] : [`granted Drm Expires After rights for group: ${group.name}`]),
      ],
      settings: { drm_enabled },
      apply: () =>
        void Object.assign(group, { drm: drm_enabled, ...(lastDay !== undefined && { drmLastDay: lastDay }) }),
    }
  },
})

export const switchDrm = (user: number, workspace_id: number, { id, on }: { id: number; on: boolean }): Operation => ({
  user,
  endpoint: api.groups.setDrm,
  call: { params: { id }, body: { workspace_id, group: { drm_enabled: on } } },
  apply(after) {
    const group = administeredGroup(after, user, id)
    act(after, user, `${on ? 'granted' : 'revoked'} DRM rights for group: ${group.name}`)
    group.drm = on
  },
})

const watermarking = (on: boolean) => ({
  key: `setWatermarking ${on}`,
  call: () => ({ watermarking: on }),
  patch: (_: Model, group: ModelGroup) => ({
    ...(isAdminGroup(group) && { status: 422 }),
    messages: ['View', 'Download'].map(
      (right) => `${on ? 'granted' : 'revoked'} ${right} Watermarked rights for group: ${group.name}`,
    ),
    settings: { watermarked: on },
    apply: () => void (group.watermarked = on),
  }),
})

const expiry = (days: number) => ({
  key: `setAccessExpiry ${days}`,
  call: ({ today }: Model) => ({ expire_workspace_access_at: daysAfter(today, days) }),
  patch: ({ today }: Model, group: ModelGroup) => {
    const date = daysAfter(today, days)
    return {
      ...((isAdminGroup(group) || days <= 0) && { status: 422 }),
      messages: [`set workspace access to expire on ${date} for group: ${group.name}`],
      settings: { expire_workspace_access_at: date, expired: false },
      apply: () => void (group.expires = date),
    }
  },
})

const withoutExpiry = {
  key: 'removeAccessExpiry',
  call: () => undefined,
  patch: (_: Model, group: ModelGroup) => ({
    messages: group.expires === null ? [] : [`set workspace access expiration to false for group: ${group.name}`],
    settings: { expire_workspace_access: 'false' },
    apply: () => void (group.expires = null),
  }),
}

const withoutLastDay = {
  key: 'removeDrmExpiration',
  call: () => undefined,
  patch: (_: Model, group: ModelGroup) => ({
    messages: group.drmLastDay === null ? [] : [`revoked Drm Expires After rights for group: ${group.name}`],
    settings: { drm_expires_after: null },
    apply: () => void (group.drmLastDay = null),
  }),
}

const protect = switching('switch DRM or watermarks', [
  drm('setDrm on', true),
  drm('setDrm until', true, 1),
  drm('setDrm off', false),
  drm('setDrm off ', false),
  withoutLastDay,
  watermarking(true),
  watermarking(false),
  watermarking(false),
])
const expire = switching('expire', [expiry(1), expiry(2), expiry(0), withoutExpiry, withoutExpiry])

export const groupPlans = [
  { arbitrary: set, weight: 14 },
  { arbitrary: changeMany(false), weight: 3 },
  { arbitrary: changeMany(true), weight: 3, alone: true },
  { arbitrary: create, weight: 1 },
  { arbitrary: update, weight: 2 },
  { arbitrary: remove, weight: 1 },
  { arbitrary: addMember, weight: 4 },
  { arbitrary: invite, weight: 1 },
  { arbitrary: removeMember, weight: 3 },
  { arbitrary: changeTeam, weight: 1 },
  { arbitrary: protect, weight: 4 },
  { arbitrary: expire, weight: 3 },
]
