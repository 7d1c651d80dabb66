import { describe, expect, it } from 'vitest'
import { flagsSetBy, settingOf } from '../rules.ts'

describe('rights that bring others along', () => {
  it('grants view with download and upload, and revokes all three with view', () => {
    expect(flagsSetBy('grant', 'view')).toEqual(['view'])
    expect(flagsSetBy('grant', 'download')).toEqual(['view', 'download'])
    expect(flagsSetBy('grant', 'upload')).toEqual(['view', 'upload'])
    expect(flagsSetBy('revoke', 'view')).toEqual(['view', 'download', 'upload'])
    expect(flagsSetBy('revoke', 'download')).toEqual(['download'])
    expect(flagsSetBy('revoke', 'upload')).toEqual(['upload'])
  })

  it('does the same where several rights are set at once, and refuses a contradiction', () => {
    expect(settingOf({ download: true })).toEqual({ view: true, download: true })
    expect(settingOf({ view: false })).toEqual({ view: false, download: false, upload: false })
    expect(settingOf({ upload: false })).toEqual({ upload: false })
    expect(settingOf({})).toEqual({})
    expect(settingOf({ view: false, upload: true })).toBeUndefined()
  })
})
