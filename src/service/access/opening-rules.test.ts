import { describe, expect, it } from 'vitest'
import { type OpeningGroup, refusalOfGroups } from './opening-rules.ts'

const TODAY = '2026-03-03'
const group = (facts: Partial<OpeningGroup> = {}): OpeningGroup => ({
  id: 1,
  active: true,
  grants: true,
  drm_enabled: true,
  drm_expires_after: null,
  ...facts,
})

const refusal = (...groups: OpeningGroup[]) => refusalOfGroups(groups, [1, 2], TODAY)

describe('a sealed copy', () => {
  it('opens through a group with DRM that grants download', () => {
    expect(refusal(group())).toBeUndefined()
  })

  it('C10: opens on its last day, and not on the next', () => {
    expect(refusal(group({ drm_expires_after: TODAY }))).toBeUndefined()
    expect(refusal(group({ drm_expires_after: '2026-03-02' }))).toBe('drm_expired')
  })

  it('does not open if DRM is off, the right is gone, or the access has ended', () => {
    expect(refusal(group({ drm_enabled: false }))).toBe('drm_off')
    expect(refusal(group({ grants: false }))).toBe('no_right')
    expect(refusal()).toBe('no_right')
    expect(refusal(group({ active: false }))).toBe('access_ended')
  })

  it('opens through one of the groups that it was made through, and no other', () => {
    expect(refusal(group({ drm_enabled: false }), group({ id: 2 }))).toBeUndefined()
    expect(refusal(group({ active: false }), group({ id: 2 }))).toBeUndefined()
    expect(refusal(group({ id: 3 }))).toBe('no_right')
  })

  it('ends with the earliest last day of all groups that count', () => {
    const past = { id: 3, drm_expires_after: '2026-01-01' }
    expect(refusal(group(), group(past))).toBe('drm_expired')
    for (const without of [{ drm_enabled: false }, { grants: false }, { active: false }]) {
      expect(refusal(group(), group({ ...past, ...without }))).toBeUndefined()
    }
  })
})
