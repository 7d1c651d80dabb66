import { expect, test } from 'vitest'
import { idOf, insideOnly, paths } from './paths.ts'

test('addresses omit default and absent values', () => {
  expect(paths.files(3)).toBe('/workspaces/3/files')
  expect(paths.files(3, 8, { file: 9 })).toBe('/workspaces/3/files/8?file=9')
  expect(paths.signIn('/')).toBe('/sign-in')
  expect(paths.signIn('/workspaces/3?x=1')).toBe('/sign-in?to=%2Fworkspaces%2F3%3Fx%3D1')
})

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/./\\evil.example',
  '/%2e//evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  ' //evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'JavaScript:alert(1)//',
  'data:text/html,<script>alert(1)</script>',
  '@evil.example',
  '',
  null,
])('G3: an address outside the dashboard (%j) becomes home', (address) => {
  expect(insideOnly(address)).toBe('/')
})

test('an address inside the dashboard stays unchanged', () => {
  expect(insideOnly('/workspaces/3/files?sort=name')).toBe('/workspaces/3/files?sort=name')
})

test.each(['', 'x', '-1', '1e3', '1.5', '99999999999', '2147483648', undefined])('%s is not an id', (text) => {
  expect(idOf(text)).toBe(-1)
})
