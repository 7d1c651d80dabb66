import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { SHIPPED_TEMPLATES, TEMPLATE_LANGUAGES } from '../../../contract/endpoints/deal/templates.ts'
import { type Db, openPool } from '../../db/pool.ts'
import { purgeTrash } from '../../store/trash/trash.ts'
import { sweepBlobs } from '../../blobs/sweep.ts'
import { giveUp } from '../../documents/ingest/give-up.ts'
import { readDocuments } from '../../testing/jobs.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type Person, type World } from '../../testing/world.ts'

let service: TestService
let world: World
let db: Db
beforeAll(async () => {
  service = await startTestService()
  db = openPool(service.config.databaseUrl, 2)
  world = await createWorld(service)
})
afterAll(async () => {
  await db.destroy()
  await service.close()
})

const query = async <Row>(text: string) => (await sql.raw<Row>(text).execute(db)).rows

type Source = NonNullable<Parameters<typeof makeFrom>[0]>
const makeFrom = (
  source: {
    shipped?: (typeof SHIPPED_TEMPLATES)[number]
    language?: 'en' | 'de'
    template_id?: number
    workspace_id?: number
    drafts?: boolean
    files?: boolean
  },
  person: Person = world.alice,
  team_id = world.team_id,
) => person.call(api.workspaces.create, { body: { workspace: { name: 'Made', team_id, source } } })

const newRoom = async (name = 'Model') =>
  (await world.alice.call(api.workspaces.create, { body: { workspace: { name, team_id: world.team_id } } })).id

async function newFolder(workspace_id: number, parent_id: number, name: string) {
  const made = await world.alice.call(api.folders.create, { body: { workspace_id, name, parent_id } })
  return made.id
}

/** Everything of a workspace that a template keeps, without ids. */
async function shapeOf(workspace_id: number) {
  const { alice } = world
  const rows = await alice.call(api.workspaces.listIndex, { params: { id: workspace_id } })
  const groups = await alice.call(api.groups.list, { query: { workspace_id } })
  const rights = await query<{ group: string; folder: string; flag: string; value: boolean }>(
    `select g.name as "group", f.name as folder, p.flag, p.value, cardinality(p.id_path) as depth,
       p.id_path = f.id_path as placed
     from folder_permissions p join groups g on g.workspace_id = p.workspace_id and g.id = p.group_id
     join folders f on f.workspace_id = p.workspace_id and f.id = p.folder_id
     where p.workspace_id = ${workspace_id} order by 1, 5, 2, 3`,
  )
  const params = { id: workspace_id }
  const { description, expectation, text } = await alice.call(api.workspaces.getWelcome, { params })
  const { numbering, measures_reading, reading_kept_days } = await alice.call(api.workspaces.get, { params })
  return {
    folders: (rows as unknown as { kind: string; outline: string; name: string; path: string }[])
      .filter(({ kind }) => kind === 'folder')
      .map(({ outline, name, path }) => `${outline} ${path}${name}`)
      .toSorted(),
    groups: groups
      .toReversed()
      .map(
        ({ name, kind, watermarked, text_layer, pdf_delivery, drm_enabled }) =>
          `${name}, ${kind}, ${watermarked}, ${text_layer}, ${pdf_delivery}, ${drm_enabled}`,
      ),
    rights,
    texts: { description, expectation, text },
    settings: { numbering, measures_reading, reading_kept_days },
  }
}

/** A workspace with nested folders, groups, rights at several depths, an exception, a deleted folder and a person. */
async function model(): Promise<number> {
  const id = await newRoom()
  const { alice } = world
  const finance = await newFolder(id, 0, 'Finance <b>')
  const tax = await newFolder(id, finance, 'Tax "24"')
  const legal = await newFolder(id, 0, 'Legal')
  await newFolder(id, legal, 'Tax "24"')
  const gone = await newFolder(id, 0, 'Gone')
  await alice.call(api.folders.remove, { params: { id: gone }, query: { workspace_id: id } })
  const group = { name: 'Bidders', workspace_id: id }
  const bidders = await alice.call(api.groups.create, { body: { group } })
  await alice.call(api.groups.update, {
    params: { id: bidders.id },
    body: { workspace_id: id, group: { text_layer: 'find' } },
  })
  await alice.call(api.groups.setDrm, {
    params: { id: bidders.id },
    body: { workspace_id: id, group: { drm_enabled: true } },
  })
  const all = (await alice.call(api.groups.list, { query: { workspace_id: id } })).find(
    ({ kind }) => kind === 'all_members',
  )
  await query(`select set_rights(${id}, ${bidders.id}, 0, '{0}', '{view}', '{t}'),
    set_rights(${id}, ${bidders.id}, ${tax}, '{0,${finance},${tax}}', '{view}', '{f}'),
    set_rights(${id}, ${all?.id}, ${legal}, '{0,${legal}}', '{view,download}', '{t,t}')`)
  await alice.call(api.groups.addMember, {
    params: { id: bidders.id },
    body: { workspace_id: id, email: world.bob.email, send_email: false },
  })
  await alice.call(api.workspaces.updateWelcome, {
    params: { id },
    body: {
      welcome: { description: 'A sale', text: 'Welcome <i>', contact_user_id: alice.id, contact_note: 'Ask for Alice' },
    },
  })
  await alice.call(api.workspaces.update, {
    params: { id },
    body: { workspace: { numbering: 'per_reader', measures_reading: false, reading_kept_days: 30 } },
  })
  await alice.call(api.terms.saveDraft, { params: { id }, body: { title: 'NDA', text: 'Keep it.' } })
  return id
}

async function trailOf(id: number): Promise<string[]> {
  const lines = await world.alice.call(api.audit.export, { params: { id } })
  return lines.flatMap((line) => (line.type === 'record' ? [line.entry.message] : []))
}

describe('a workspace made from a template', () => {
  it('has the folders, groups, rights and texts of its model, and nobody but its creator', async () => {
    const id = await model()
    const template = await world.alice.call(api.templates.create, {
      params: { id },
      body: { template: { name: 'Sale' } },
    })
    expect(template).toMatchObject({
      name: 'Sale',
      folders_count: 4,
      folders: ['Finance <b>', 'Legal'],
      groups: ['Bidders'],
    })
    const copies = [await makeFrom({ template_id: template.id ?? 0 }), await makeFrom({ workspace_id: id })]
    const wanted = await shapeOf(id)
    expect(wanted.rights.length).toBeGreaterThan(3)
    for (const copy of copies) {
      expect(await shapeOf(copy.id)).toEqual(wanted)
      const params = { id: copy.id }
      const none = { contact: null, contact_note: '' }
      expect(await world.alice.call(api.workspaces.getWelcome, { params })).toMatchObject(none)
      expect(await query(`select from terms_drafts where workspace_id = ${copy.id}`)).toEqual([])
      const members = await world.alice.call(api.workspaces.listMembers, { params: { id: copy.id } })
      expect(members.map(({ user }) => user.id)).toEqual([world.alice.id])
      expect(await world.bob.statusOf(api.workspaces.get, { params: { id: copy.id } })).toBe(404)
    }
  })

  it('goes on as any other: its folders take files, and its numbers continue', async () => {
    const { id } = await makeFrom({ shipped: 'due_diligence' })
    const made = await newFolder(id, 0, 'More')
    const { folder } = await world.alice.call(api.folders.get, { params: { id: made }, query: { workspace_id: id } })
    expect(folder.index).toBe(16)
  })

  it.each(SHIPPED_TEMPLATES.flatMap((shipped) => TEMPLATE_LANGUAGES.map((language) => [shipped, language] as const)))(
    'can be %s in %s, and grants what its groups are for',
    async (shipped, language) => {
      const { id } = await makeFrom({ shipped, language })
      const shape = await shapeOf(id)
      const { templates } = await world.alice.call(api.templates.list, {
        params: { id: world.team_id },
        query: { language },
      })
      const listed = templates.find((template) => template.shipped === shipped)
      expect(listed).toMatchObject({ folders_count: shape.folders.length })
      expect(listed?.groups).toEqual(
        shape.groups.filter((group) => group.includes(', custom, ')).map((group) => group.split(', custom')[0]),
      )
      expect(shape.rights.every(({ value }) => value)).toBe(true)
      expect(new Set(shape.folders).size).toBe(shape.folders.length)
      expect(
        shape.groups.filter((group) => group.includes(', custom, ')).every((group) => group.includes(', custom, true')),
      ).toBe(true)
    },
  )

  it('can begin with drafts, of which its groups see nothing until they are published', async () => {
    const { alice, bob } = world
    const { id } = await makeFrom({ shipped: 'due_diligence', drafts: true })
    const params = { id }
    const { drafts } = await alice.call(api.drafts.list, { params })
    expect(drafts.map(({ name }) => name)).toContain('Finance')
    expect(drafts.every(({ in_draft }) => !in_draft)).toBe(true)
    const bidders = (await alice.call(api.groups.list, { query: { workspace_id: id } })).find(
      ({ name }) => name === 'Bidders',
    )
    await alice.call(api.groups.addMember, {
      params: { id: bidders?.id ?? 0 },
      body: { workspace_id: id, email: bob.email, send_email: false },
    })
    expect((await bob.call(api.workspaces.home, { params })).immediate_subfolders).toEqual([])
    const plain = await shapeOf((await makeFrom({ shipped: 'due_diligence' })).id)
    await alice.call(api.drafts.publish, { params, body: { folder_ids: drafts.map(({ folder_id }) => folder_id) } })
    expect(await shapeOf(id)).toEqual(plain)
    expect((await bob.call(api.workspaces.home, { params })).immediate_subfolders).toHaveLength(
      drafts.filter(({ rights }) => rights.some(({ group_id }) => group_id === bidders?.id)).length,
    )
  })

  it('is refused with more folders at the top than may be drafts, and then leaves nothing', async () => {
    const model = await newRoom('Many folders')
    await query(`insert into folders (workspace_id, id, parent_id, name, index, id_path, last_updated_user_id)
      select ${model}, n.id, 0, 'Folder ' || n.id, n.id, array[0, n.id], ${world.alice.id}
      from (select nextval(pg_get_serial_sequence('folders', 'id'))::int as id from generate_series(1, 101)) n`)
    const before = await query('select id from workspaces')
    const body = { workspace: { name: 'Made', team_id: world.team_id, source: { workspace_id: model, drafts: true } } }
    expect(await world.alice.refused(api.workspaces.create, { body })).toMatchObject({
      code: 409,
      reason: 'too_many_drafts',
    })
    expect(await query('select id from workspaces')).toEqual(before)
  })

  it('is recorded in its trail, and the copying in the trail of its model', async () => {
    const model = await newRoom('Original')
    const { id } = await makeFrom({ workspace_id: model })
    const entries = [...(await trailOf(id)), ...(await trailOf(model))]
    expect(entries).toContain('took folders, groups and rights over from Original')
    expect(entries).toContain('took the folders, groups and rights of this workspace over into Made')
  })
})

describe('the files of a model', () => {
  const upload = async (workspace_id: number, folder_id: number, file_name: string, body: string) => {
    const query = { workspace_id, folder_id, file_name }
    return (await world.alice.call(api.files.upload, { query }, body)).id
  }
  const ingested = () => readDocuments(service)

  /** A model with files at the top, in a folder and below a draft, of two versions, deleted, and of one name. */
  async function modelWithFiles() {
    const id = await newRoom('With files')
    const folder = await newFolder(id, 0, 'Finance')
    const inside = await newFolder(id, folder, 'Tax')
    await upload(id, 0, 'read me.txt', 'at the top')
    await upload(id, folder, 'plan.txt', 'the first words')
    await upload(id, folder, 'plan.txt', 'the walrus of a model')
    await upload(id, inside, 'plan.txt', 'another plan')
    await upload(id, inside, 'twice.txt', 'another plan')
    const draft = await world.alice.call(api.drafts.create, { body: { workspace_id: id, parent_id: 0, name: 'Draft' } })
    await upload(id, draft.id, 'secret.txt', 'nobody')
    const gone = await upload(id, folder, 'gone.txt', 'gone')
    await world.alice.call(api.files.remove, { params: { id: gone }, query: { workspace_id: id } })
    await ingested()
    return { id, folder, inside }
  }

  const filesOf = (id: number) =>
    query<{ path: string; file_name: string; version: number; viewer_status: string; sha: string }>(
      `select d.name as path, f.file_name, f.title, f.index, f.version, f.viewer_status, f.pages, encode(f.sha256, 'hex') as sha
       from files f join folders d on d.workspace_id = f.workspace_id and d.id = f.folder_id
       where f.workspace_id = ${id} and f.deleted_at is null order by 1, f.index`,
    )

  it('come with it if wished, in their current versions, readable and found at once; drafts and deleted ones do not', async () => {
    const { alice } = world
    const model = await modelWithFiles()
    const plain = await makeFrom({ workspace_id: model.id })
    expect(await filesOf(plain.id)).toEqual([])

    const { id } = await makeFrom({ workspace_id: model.id, files: true })
    const taken = (await filesOf(model.id)).filter(({ path }) => path !== 'Draft')
    expect(taken).toHaveLength(4)
    expect(await filesOf(id)).toEqual(taken.map((file) => ({ ...file, version: 1 })))
    const found = await alice.call(api.files.search, { query: { workspace_id: id, q: 'walrus' } })
    expect(found).toMatchObject([{ title: 'plan.txt' }])
    const params = { id: found[0]?.id ?? 0 }
    const file = await alice.call(api.files.get, { params, query: { workspace_id: id } })
    expect(file).toMatchObject({ version: 1, viewer_status: taken[0]?.viewer_status })
    expect(await trailOf(model.id)).toContain(
      'took the folders, groups, rights and files of this workspace over into Made',
    )
    expect(await trailOf(id)).toContain('copied the file with its folder: twice.txt')
  })

  it('K104: live on when the model loses them, and the copies are not those of its members', async () => {
    const model = await modelWithFiles()
    const { id } = await makeFrom({ workspace_id: model.id, files: true })
    const params = { id: model.folder }
    await world.alice.call(api.folders.remove, { params, query: { workspace_id: model.id } })
    await query(`update files set deleted_at = now() - interval '40 days' where workspace_id = ${model.id}`)
    await purgeTrash(db, new Date())
    await sweepBlobs(db, service.services.blobs, new Date(Date.now() + 60_000))
    const kept = await query<{ workspace_id: number }>(
      `select workspace_id from document_texts where workspace_id in (${model.id}, ${id}) and words like '% walrus %'`,
    )
    expect(kept).toEqual([{ workspace_id: id }])
    const [file] = await query<{ id: number }>(`select id from files where workspace_id = ${id} order by id limit 1`)
    const at = { params: { id: file?.id ?? 0 }, query: { workspace_id: id } }
    expect(await world.alice.statusOf(api.files.get, at)).toBe(200)
    const link = await world.alice.call(api.downloads.getFile, {
      params: { file_id: file?.id ?? 0 },
      query: { workspace_id: id },
    })
    expect(await (await fetch(service.url + new URL(link.expiring_url).pathname)).text()).toBe('the walrus of a model')
    expect(await world.bob.statusOf(api.files.get, at)).toBe(404)
  })

  it('K104: are read anew in both workspaces when both ask for it at once', async () => {
    const model = await modelWithFiles()
    const { id } = await makeFrom({ workspace_id: model.id, files: true })
    for (const workspace_id of [model.id, id]) {
      const files = await query<{ id: number }>(
        `select id from files where workspace_id = ${workspace_id} and file_name = 'plan.txt'`,
      )
      const body = { file_ids: files.map((file) => file.id) }
      await world.alice.call(api.documents.retry, { body: { ...body, workspace_id } })
    }
    expect((await filesOf(id)).map(({ viewer_status }) => viewer_status)).toContain('Pending')
    await ingested()
    const states = [...(await filesOf(id)), ...(await filesOf(model.id))].map(({ viewer_status }) => viewer_status)
    expect(new Set(states)).toEqual(new Set(['Ready']))
  })

  it('K104: are given up only where they wait to be read', async () => {
    const model = await modelWithFiles()
    const { id } = await makeFrom({ workspace_id: model.id, files: true })
    const [shared] = await query<{ blob_id: string }>(
      `update documents set status = 'Pending' where workspace_id = ${id} returning blob_id`,
    )
    await giveUp(db).ingest?.({ workspace_id: model.id, blob_id: shared?.blob_id ?? '' }, 'no more attempts')
    const states = await query<{ workspace_id: number; status: string }>(
      `select workspace_id, status from documents where blob_id = '${shared?.blob_id}' order by workspace_id`,
    )
    expect(states).toEqual([
      { workspace_id: model.id, status: 'Ready' },
      { workspace_id: id, status: 'Failed' },
    ])
  })

  it('are refused of a template, of an infected model, and of one that is still being read; then nothing is made', async () => {
    const before = await query('select id from workspaces')
    const refused = (source: Source) =>
      world.alice.refused(api.workspaces.create, {
        body: { workspace: { name: 'Made', team_id: world.team_id, source } },
      })
    expect(await refused({ shipped: 'board', files: true })).toMatchObject({ code: 422 })
    const { id } = await modelWithFiles()
    await query(`update files set infected = true where workspace_id = ${id} and file_name = 'twice.txt'`)
    const infected = await refused({ workspace_id: id, files: true })
    expect(infected).toMatchObject({ code: 422 })
    expect(JSON.stringify(infected)).toContain('twice.txt')
    await query(`update files set infected = false, damaged = file_name = 'plan.txt' where workspace_id = ${id}`)
    const damaged = await refused({ workspace_id: id, files: true })
    expect([damaged.code, JSON.stringify(damaged)]).toEqual([
      422,
      expect.stringContaining('damaged file in it: plan.txt'),
    ])
    await query(`update files set infected = false, damaged = false, held = file_name = 'twice.txt',
      viewer_status = case when file_name = 'twice.txt' then 'Failed' else 'Ready' end where workspace_id = ${id}`)
    const held = await refused({ workspace_id: id, files: true })
    expect([held.code, JSON.stringify(held)]).toEqual([422, expect.stringContaining('cannot be scanned: twice.txt')])
    await query(`update files set held = false, viewer_status = 'Ready' where workspace_id = ${id}`)
    await query(`insert into jobs (kind, payload) select 'ingest', jsonb_build_object('workspace_id', workspace_id, 'blob_id', blob_id)
      from files where workspace_id = ${id} and file_name = 'twice.txt'`)
    expect(await refused({ workspace_id: id, files: true })).toMatchObject({ code: 409, reason: 'files_being_read' })
    await ingested()
    await upload(id, 0, 'late.txt', 'late')
    expect(await refused({ workspace_id: id, files: true })).toMatchObject({ code: 409, reason: 'files_being_read' })
    expect(await query('select id from workspaces')).toHaveLength(before.length + 1)
    await ingested()
    await query(`insert into files (workspace_id, folder_id, title, file_name, index, file_size, file_content_type, sha256, blob_id, viewer_status)
      select ${id}, 0, n || '.txt', n || '.txt', n + 1, 1, 'text/plain', '\\x00', 'blob' || n, 'Ready' from generate_series(1, 5000) n`)
    expect(await refused({ workspace_id: id, files: true })).toMatchObject({
      code: 409,
      reason: 'too_many_files_to_take',
    })
  })
})

describe('a template is refused', () => {
  const refused = (source: Source, person = world.alice, team_id = world.team_id) =>
    person.refused(api.workspaces.create, { body: { workspace: { name: 'Made', team_id, source } } })

  it('beside another one, or without any', async () => {
    expect(await refused({ shipped: 'board', template_id: 1 })).toMatchObject({ code: 422 })
    expect(await refused({})).toMatchObject({ code: 422 })
  })

  it('from another team, and a workspace that the caller does not administer', async () => {
    const { id } = await world.olivia.call(api.teams.create, { body: { team: { name: 'Others' } } })
    const template = await world.alice.call(api.templates.create, {
      params: { id: world.workspace_id },
      body: { template: { name: 'Ours' } },
    })
    expect(await refused({ template_id: template.id ?? 0 }, world.olivia, id)).toMatchObject({ code: 404 })
    expect(await refused({ workspace_id: world.workspace_id }, world.olivia, id)).toMatchObject({ code: 404 })
    expect(await refused({ workspace_id: world.workspace_id }, world.tina)).toMatchObject({ code: 404 })
  })

  it('where the team does not allow the protection of its groups, and leaves no workspace behind', async () => {
    const source = await model()
    const { id } = await world.olivia.call(api.teams.create, { body: { team: { name: 'Plain', drm_enabled: false } } })
    await world.olivia.call(api.teams.addMember, { params: { id }, body: { user_id: world.alice.id } })
    expect(await refused({ workspace_id: source }, world.alice, id)).toMatchObject({ code: 422 })
    const { workspaces } = await world.alice.call(api.workspaces.list, { query: { team_id: id } })
    expect(workspaces).toEqual([])
  })

  it('in a team without watermarking only if it is its own: the shipped ones come without marks', async () => {
    const { id } = await world.olivia.call(api.teams.create, {
      body: { team: { name: 'Unmarked', watermarking: false } },
    })
    const body = { workspace: { name: 'Made', team_id: id, source: { shipped: 'board' as const } } }
    const made = await world.olivia.call(api.workspaces.create, { body })
    const groups = await world.olivia.call(api.groups.list, { query: { workspace_id: made.id } })
    expect(groups.some(({ watermarked }) => watermarked)).toBe(false)
  })
})

describe('a template that another version saved', () => {
  /** As the first release with templates stored it: must be readable for ever. */
  const stored = {
    folders: [
      { place: 1, parent: 0, name: 'Plans', index: 1 },
      { place: 2, parent: 1, name: 'Old', index: 1 },
    ],
    groups: [
      {
        place: 1,
        kind: 'custom',
        name: 'Bidders',
        drm_enabled: false,
        watermarked: true,
        file_managing_abilities: false,
        text_layer: 'find',
        pdf_delivery: 'woven',
      },
    ],
    rights: [{ group: 1, folder: 1, flag: 'view', value: true }],
    texts: { description: 'A', expectation: 'B', welcome_text: 'C' },
    numbering: 'fixed',
  }

  async function store(blueprint: object): Promise<number> {
    const summary = { folders_count: 2, folders: ['Plans'], groups: ['Bidders'] }
    const { rows } = await sql<{ id: number }>`
      insert into workspace_templates (organization_id, team_id, name, summary, blueprint, created_by_id)
      select organization_id, id, 'Stored', ${JSON.stringify(summary)}::jsonb, ${JSON.stringify(blueprint)}::jsonb,
        ${world.alice.id} from teams where id = ${world.team_id} returning id`.execute(db)
    return rows[0]?.id ?? 0
  }

  it('still makes a workspace, and measures reading as any new workspace', async () => {
    const { id } = await makeFrom({ template_id: await store(stored) })
    expect(await shapeOf(id)).toMatchObject({
      folders: ['1 /Plans', '1.1 /PlansOld'],
      rights: [{ group: 'Bidders', folder: 'Plans', flag: 'view', value: true }],
      texts: { description: 'A', expectation: 'B', text: 'C' },
      settings: { numbering: 'fixed', measures_reading: true, reading_kept_days: 365 },
    })
  })

  it('is refused in a shape that this version does not know, and makes no workspace', async () => {
    const source = { template_id: await store({ shape: 2, boxes: [] }) }
    const before = await query('select from workspaces')
    const body = { workspace: { name: 'Made', team_id: world.team_id, source } }
    expect(await world.alice.refused(api.workspaces.create, { body })).toMatchObject({ code: 409 })
    expect(await query('select from workspaces')).toHaveLength(before.length)
    const { templates } = await world.alice.call(api.templates.list, { params: { id: world.team_id } })
    expect(templates).toContainEqual(expect.objectContaining({ id: source.template_id, name: 'Stored' }))
  })
})

it('a team keeps its templates until a member deletes them', async () => {
  const id = await newRoom()
  const mine = await world.alice.call(api.templates.create, {
    params: { id },
    body: { template: { name: 'Short-lived' } },
  })
  const params = { id: world.team_id, template_id: mine.id ?? 0 }
  const listed = async () => (await world.tina.call(api.templates.list, { params: { id: world.team_id } })).templates
  expect(await listed()).toContainEqual(expect.objectContaining({ id: mine.id, created_by: 'Alice Tester' }))
  await world.tina.call(api.templates.remove, { params })
  expect(await listed()).not.toContainEqual(expect.objectContaining({ id: mine.id }))
  expect(await world.tina.statusOf(api.templates.remove, { params })).toBe(404)
})
