import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { alice, fakeApi } from '../../testing/fake-api.ts'
import { speakGerman } from '../../testing/german.ts'
import { renderAt } from '../../testing/render-at.tsx'
import type { SystemInfo } from './system-page.tsx'

const at = '2026-01-05T08:00:00.000Z'

const system = (more: Partial<SystemInfo> = {}): SystemInfo => ({
  as_of: at,
  versions: { strongroom: '0.1.0', node: '24.0.0', postgresql: '18.4', schema: '0057_system.sql' },
  processes: [
    { kind: 'worker', host: 'vault-1', version: '0.1.0', node: '24.0.0', started_at: at, seen_at: at, running: true },
  ],
  jobs: [{ kind: 'zip', waiting: 3, failed: 2, oldest_seconds: 61 }],
  storage: { kind: 'folder', free: 2e9, total: 8e9 },
  backups: [],
  examination: null,
  ...more,
})

const open = async (info: SystemInfo, installation_admin = true) => {
  const fake = fakeApi()
    .session({ user: { ...alice, organization_admin: true, installation_admin } })
    .on(api.system.get, info)
    .on(api.system.examine, { requested_at: at, ended_at: null, findings: [], content: null })
  const { user } = renderAt('/system')
  await screen.findByRole('heading', { name: 'System', level: 1 })
  return { fake, user }
}

const unknown = { code: null, params: {} }

const part = (name: string) => within(screen.getByRole('region', { name }))

it('shows what is stored, and says what is not known', async () => {
  await open(system())
  expect(part('Queue').getByRole('row', { name: 'Zips 3 61 seconds 2' })).toBeTruthy()
  expect(part('Storage').getByText(/2.0.GB of 8.0.GB/)).toBeTruthy()
  expect(part('Storage').getByText('Not counted yet')).toBeTruthy()
  expect(part('Backups').getByText(/No backup is recorded/)).toBeTruthy()
  expect(part('Processes').getByText(/vault-1/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'System' })).toBeTruthy()
})

it('lists errors before warnings, each with what to do, and failed backups with the reason', async () => {
  const backup = { begun_at: at, ended_at: at, target: '/backups', database_bytes: null, files: 0, bytes: 0 }
  await open(
    system({
      backups: [{ ...backup, new_bytes: 0, damaged: 0, failure: 'The disk is full.' }],
      examination: {
        requested_at: at,
        ended_at: at,
        content: { files: 2, bytes: 5e6 },
        findings: [
          { ...unknown, check: 'node', state: 'ok', message: 'It runs.', advice: null },
          { ...unknown, check: 'scanner', state: 'ok', code: 'scanner_off', message: '', advice: null },
          { ...unknown, check: 'mail', state: 'warning', message: 'Mails stay.', advice: 'Set SMTP_URL.' },
          {
            ...unknown,
            check: 'audit',
            state: 'error',
            message: 'A trail was altered.',
            advice: 'Keep it as evidence.',
          },
        ],
      },
    }),
  )
  const findings = within(screen.getByRole('list', { name: 'Findings' })).getAllByRole('listitem')
  expect(findings.map((each) => each.textContent)).toEqual([
    'ErrorAudit trailsA trail was altered.Keep it as evidence.',
    'WarningMailsMails stay.Set SMTP_URL.',
    'NoteScannerFiles are not scanned for malware: CLAMD_URL is not set.Run ClamAV, and set CLAMD_URL to its address (deploy/README.md).',
    'In orderNodeIt runs.',
  ])
  expect(part('Storage').getByText(/2 files, 5.0.MB/)).toBeTruthy()
  expect(part('Backups').getByText('The disk is full.')).toBeTruthy()
})

it('lets a worker examine, and waits for it', async () => {
  const { fake, user } = await open(system())
  fake.on(api.system.get, system({ examination: { requested_at: at, ended_at: null, findings: [], content: null } }))
  await user.click(screen.getByRole('button', { name: 'Examine' }))
  const button = await screen.findByRole('button', { name: 'Examining…' })
  expect(button.hasAttribute('disabled')).toBe(true)
})

it('has no link for admins of other organizations', async () => {
  await open(system(), false)
  expect(screen.queryByRole('link', { name: 'System' })).toBeNull()
})

it('loads its texts in German, and says findings with their facts', async () => {
  speakGerman({ 'A preview of this type needs LibreOffice, which is not installed.': 'Es braucht LibreOffice.' })
  const finding = (code: string, params: Record<string, string>) =>
    ({ check: 'node', state: 'error', message: 'In English.', advice: 'Read it.', code, params }) as const
  const findings = [
    finding('office_unconverted', { obstacle: 'A preview of this type needs LibreOffice, which is not installed.' }),
    finding('space_low', { free: '1000000', total: '5000000' }),
    finding('schema_newer', { names: '{free} <b>x</b>' }),
    finding('toString', {}),
  ]
  await open(system({ examination: { requested_at: at, ended_at: at, content: null, findings } }))
  const shown = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(shown).toEqual([
    expect.stringContaining('Office-Dokumente werden nicht angezeigt. Es braucht LibreOffice.Siehe deploy'),
    expect.stringMatching(/Nur 1,0.MB von 5,0.MB sind frei/),
    expect.stringContaining('Es enthält {free} <b>x</b>.'),
    expect.stringContaining('In English.Read it.'),
  ])
})
