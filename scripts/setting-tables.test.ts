import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withSettingTables } from './setting-tables.ts'

const document = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')

test('docs/configuration.md describes every setting as its row does (npm run docs writes it)', () => {
  expect(withSettingTables(document)).toBe(document)
})

test('rewrites a table that was edited by hand, and keeps the text around it', () => {
  const edited = document.replace('| `interval_minutes` | number > 0', '| `interval_minutes` | anything')
  expect(edited).not.toBe(document)
  expect(withSettingTables(`${edited}\nThe end.\n`)).toBe(`${document}\nThe end.\n`)
})

test('fails for a section without a place in the document, and for a place without a section', () => {
  expect(() => withSettingTables(document.replaceAll('settings scoring', 'settings scoreing'))).toThrow(
    'no settings scoreing',
  )
  expect(() =>
    withSettingTables(document.replace(/<!-- settings unblock -->[\s\S]*?<!-- \/settings -->/, '')),
  ).toThrow('unblock')
})
