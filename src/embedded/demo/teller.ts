import { api } from '../../contract/index.ts'
import type { Caller } from './call.ts'
import { ensureUser, type User } from './fill.ts'
import type { History } from './history.ts'
import { comingWorkday, workday } from './moments.ts'
import { DEMO_PEOPLE, type DemoPerson, INES, OTHER_PEOPLE } from './people.ts'

export class Teller {
  readonly history: History
  private readonly admin: Caller
  private readonly users = new Map<string, User>()
  private readonly today = new Date()

  constructor(admin: Caller, history: History) {
    this.admin = admin
    this.history = history
  }

  /** BOOTSTRAP_ADMIN_EMAIL may name another first admin: the rooms still belong to Ines. */
  async gather(): Promise<void> {
    await this.admin.call(api.organization.update, { body: { name: 'Harbour Terminals', location: 'Rotterdam' } })
    for (const person of [...DEMO_PEOPLE, ...OTHER_PEOPLE])
      this.users.set(person.email, await ensureUser(this.admin, person))
    await this.admin.call(api.organization.addAdmin, { body: { user_id: this.user(INES).id } })
    const { first_name, last_name, time_zone } = INES
    await this.as(INES).call(api.users.updateMe, { body: { user: { first_name, last_name, time_zone } } })
    for (const person of DEMO_PEOPLE) await this.arrive(person)
  }

  async arrive(person: DemoPerson): Promise<Caller> {
    await this.admin.call(api.signInCodes.vouch, { body: { email: person.email } })
    const caller = this.as(person)
    await caller.call(api.users.signIn, {})
    const { company, title } = person
    await caller.call(api.users.updateMe, { body: { user: { company, title } } })
    return caller
  }

  user({ email }: DemoPerson): User {
    const user = this.users.get(email)
    if (!user) throw new Error(`The demo has no ${email}.`)
    return user
  }

  as(person: DemoPerson): Caller {
    return this.admin.as(this.user(person).user_token)
  }

  moment(day: number, time: string): Date {
    return workday(this.today, day, time)
  }

  at(day: number, time: string, minutes: number, work: () => Promise<void>): Promise<void> {
    return this.history.at(this.moment(day, time), minutes, work)
  }

  /** A moment of the story in the future. */
  coming(days: number, time: string): Date {
    return comingWorkday(this.today, days, time)
  }
}
