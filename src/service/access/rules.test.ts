import { describe, expect, it } from 'vitest'
import { changesOf, refusalOfRemoval, type Removal } from './rules.ts'

describe('a grant or revoke', () => {
  it('sets view too, which download and upload imply', () => {
    expect(changesOf('grant', 'upload')).toEqual([
      { flag: 'view', value: true },
      { flag: 'upload', value: true },
    ])
    expect(changesOf('revoke', 'download')).toEqual([{ flag: 'download', value: false }])
  })
})

describe('removing a member', () => {
  const guest = { admin: true, team_member: false }
  const member = { admin: true, team_member: true }
  const plain = { admin: false, team_member: false }
  const refusal = (removal: Partial<Removal>) =>
    refusalOfRemoval({ group: 'workspace_admins', remover: member, removed: guest, admins: 2, ...removal })

  it('B8: requires a Workspace Admin', () => {
    expect(refusal({ remover: { admin: false, team_member: true } })).toBe('admins')
    expect(refusal({ remover: guest })).toBeUndefined()
  })

  it('B8: an admin in the team needs a remover in the team, if the removal ends the role', () => {
    const groups = ['workspace_admins', 'team_admins', 'all_members'] as const
    for (const group of groups) expect(refusal({ group, remover: guest, removed: member })).toBe('team')
    expect(refusal({ group: 'custom', remover: guest, removed: member })).toBeUndefined()
    expect(refusal({ remover: member, removed: member })).toBeUndefined()
  })

  it('B8: keeps the last Workspace Admin', () => {
    expect(refusal({ admins: 1 })).toBe('last')
    expect(refusal({ admins: 1, group: 'all_members' })).toBe('last')
    expect(refusal({ admins: 1, group: 'custom' })).toBeUndefined()
    expect(refusal({ admins: 1, removed: plain, group: 'all_members' })).toBeUndefined()
  })
})
