import { api } from '../../contract/index.ts'
import type { Caller } from './call.ts'
import { ensureFile, ensureFolders, ensureGroup, findByPaths, type FolderIds, idOf } from './fill.ts'
import { type DemoPerson, personOf } from './people.ts'
import type { DemoFile, DemoFolder, DemoGroup, DemoRead, DemoRoom, Visit } from './room.ts'
import type { Teller } from './teller.ts'

interface Reading {
  verb: 'viewed' | 'downloaded'
  path: string
}

export class ToldRoom {
  id = 0
  readonly name: string
  readonly folders: FolderIds = new Map([['', 0]])
  private readonly teller: Teller

  constructor(teller: Teller, name: string) {
    this.teller = teller
    this.name = name
  }

  async fill(by: DemoPerson, day: number, time: string, folders: (DemoFolder | undefined)[]): Promise<void> {
    const wanted = folders.filter((folder) => folder !== undefined)
    await this.teller.at(day, time, 35, async () => {
      await this.enter(by)
      await ensureFolders(this.teller.as(by), this, wanted, this.folders)
    })
  }

  async welcome(by: DemoPerson, day: number, time: string, texts: DemoRoom['welcome']): Promise<void> {
    const welcome = { ...texts, contact_user_id: this.teller.user(by).id }
    await this.teller.at(day, time, 1, async () => {
      await this.teller.as(by).call(api.workspaces.updateWelcome, { params: { id: this.id }, body: { welcome } })
    })
  }

  async open(by: DemoPerson, day: number, time: string, group: DemoGroup): Promise<void> {
    await this.teller.at(day, time, 12, () => ensureGroup(this.teller.as(by), this.id, group, this.folders))
  }

  /** Writes the readings of the visits, except those at the beginning that an interrupted run has written already. */
  async visit(visits: Visit[]): Promise<void> {
    let written = await this.teller.history.countReadings(this.id)
    for (const { person, day, time, minutes, views = [], downloads = [], seconds } of visits) {
      const readings: Reading[] = [
        ...views.map((path) => ({ verb: 'viewed' as const, path })),
        ...downloads.map((path) => ({ verb: 'downloaded' as const, path })),
      ]
      const missing = readings.slice(written)
      written = Math.max(0, written - readings.length)
      if (missing.length > 0) await this.teller.at(day, time, minutes, () => this.read(personOf(person), missing))
      if (seconds) await this.timePages(personOf(person), this.teller.moment(day, time), seconds)
    }
  }

  async handIn(by: DemoPerson, folder: string, file: DemoFile, version = 1): Promise<void> {
    const place = { workspace_id: this.id, folder_id: idOf(this.folders, folder) }
    await ensureFile(await this.enter(by), place, file, version)
  }

  async readQuestion(question_id: string, reads: DemoRead[] = []): Promise<void> {
    const params = { workspace_id: this.id, question_id }
    for (const { by, day, time } of reads) {
      const caller = this.teller.as(personOf(by))
      await this.teller.at(day, time, 1, async () => void (await caller.call(api.questions.get, { params })))
    }
  }

  async enter(person: DemoPerson): Promise<Caller> {
    const caller = await this.teller.arrive(person)
    await this.acceptTerms(caller, person)
    await caller.call(api.workspaces.get, { params: { id: this.id } })
    return caller
  }

  /** Ids of the groups by name. */
  async groupIds(by: DemoPerson): Promise<(name: string) => number> {
    const groups = await this.teller.as(by).call(api.groups.list, { query: { workspace_id: this.id } })
    return (name) => {
      const group = groups.find((each) => each.name === name)
      if (!group) throw new Error(`The demo has no group ${name}.`)
      return group.id
    }
  }

  private async acceptTerms(caller: Caller, { first_name, last_name }: DemoPerson): Promise<void> {
    const { await: awaits, terms } = await caller.call(api.terms.mine, { params: { id: this.id } })
    if (!awaits) return
    const body = { has_read: true, may_accept: true, typed_name: `${first_name} ${last_name}` }
    for (const { id, accepted_at } of terms)
      if (!accepted_at) await caller.call(api.terms.accept, { params: { id: this.id, terms_id: id }, body })
  }

  private async timePages(person: DemoPerson, moment: Date, seconds: Record<string, number[]>): Promise<void> {
    const files = await findByPaths(this.teller.as(person), this.id, this.folders, Object.keys(seconds))
    const times = Object.values(seconds)
    const read = files.map(({ id, version }, at) => ({ id, version, seconds: times[at] ?? [] }))
    await this.teller.history.addReadingTimes(this.id, this.teller.user(person), moment, read)
  }

  private async read(person: DemoPerson, readings: Reading[]): Promise<void> {
    const caller = await this.enter(person)
    const user = this.teller.user(person)
    const files = await findByPaths(
      caller,
      this.id,
      this.folders,
      readings.map(({ path }) => path),
    )
    for (const [at, file] of files.entries())
      await this.teller.history.addReading(this.id, user, { verb: readings[at]?.verb ?? 'viewed', file })
  }
}
