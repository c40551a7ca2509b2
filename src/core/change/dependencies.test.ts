import { expect, it } from 'vitest'
import { findUnlockedDependencies } from './dependencies.ts'

const manifest = (version: string): string => `{"dependencies":{"left":"${version}"}}`

it.each([
  ['is too large to read on both sides', { before: '', after: '' }, []],
  ['became too large to read', { before: '{"packages":{}}', after: '' }, []],
  ['was changed elsewhere', { before: '{"packages":{}}', after: '{"packages":{"a":{}}}' }, ['left']],
  ['was not changed', null, ['left']],
])('names a dependency unless its lock file, which %s, may have a new entry', (_name, lock, names) => {
  const changes = [
    { path: 'package.json', before: manifest('1'), after: manifest('2') },
    ...(lock === null ? [] : [{ path: 'package-lock.json', ...lock }]),
  ]
  const found = findUnlockedDependencies(changes, (path) => path === 'package-lock.json')
  expect(found.map(({ name }) => name)).toEqual(names)
})
