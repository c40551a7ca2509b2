import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const page = new URL('../src/renderer/', import.meta.url).pathname
const files = new Map(
  readdirSync(page, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(css|tsx?|html)$/.test(name))
    .map((name) => [name, readFileSync(join(page, name), 'utf8').replace(/\/\*.*?\*\//gs, '')]),
)
const sheets = [...files].filter(([name]) => name.endsWith('.module.css'))

/** Returns the classes of a sheet, each once. */
function classesOf(sheet: string): string[] {
  const selectors = [...sheet.matchAll(/([^{}]+)\{/g)].map(([, selector = '']) => selector.trim())
  const names = selectors
    .filter((selector) => !selector.startsWith('@'))
    .flatMap((selector) => [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name))
  return [...new Set(names)]
}

/** Returns whether a file uses the class: by name, or by accessing the sheet with a computed name. */
function uses(text: string, sheet: string, name: string): boolean {
  const local = new RegExp(`import (\\w+) from '[^']*${sheet.replaceAll('.', '\\.')}'`).exec(text)?.[1]
  return local !== undefined && new RegExp(`\\b${local}(\\.${name}\\b|\\['${name}'\\]|\\[(?!'))`).test(text)
}

test('every class of a style sheet is used by a component that imports the sheet', () => {
  expect(sheets.length).toBeGreaterThan(20)
  const unused = sheets.flatMap(([path, sheet]) =>
    classesOf(sheet)
      .filter((name) => ![...files.values()].some((text) => uses(text, basename(path), name)))
      .map((name) => `${path}: .${name}`),
  )
  expect(unused).toEqual([])
})

test('every token is used', () => {
  const all = [...files.values()].join('\n')
  const tokens = new Set([...all.matchAll(/(--[\w-]+)\s*:/g)].map(([, token = '']) => token))
  expect(tokens.size).toBeGreaterThan(20)
  expect([...tokens].filter((token) => !new RegExp(`${token}(?![\\w-]|\\s*:)`).test(all))).toEqual([])
})

/** Returns the selectors of a sheet's rules outside any other block. */
function topSelectors(sheet: string): string[] {
  let depth = 0
  const found: string[] = []
  for (const [, selector = '', brace = ''] of sheet.matchAll(/([^{}]*)([{}])/g)) {
    if (brace === '{' && depth === 0) found.push(selector.trim().replace(/\s+/g, ' '))
    depth += brace === '{' ? 1 : -1
  }
  return found.filter((selector) => !selector.startsWith('@'))
}

test('no selector has two rules in a sheet', () => {
  const twice = sheets.flatMap(([path, sheet]) => {
    const selectors = topSelectors(sheet)
    return selectors
      .filter((selector, index) => selectors.indexOf(selector) !== index)
      .map((each) => `${path}: ${each}`)
  })
  expect(twice).toEqual([])
})

test('every class that a component uses from a sheet exists in it', () => {
  const missing = [...files].flatMap(([path, text]) =>
    [...text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].flatMap(([, local = '', sheet = '']) => {
      const classes = classesOf(files.get(join(path, '..', sheet)) ?? '')
      return [
        ...new Set([...text.matchAll(new RegExp(`\\b${local}\\.(\\w+)`, 'g'))].map(([, name = '']) => name)),
      ]
        .filter((name) => !classes.includes(name))
        .map((name) => `${path}: .${name}`)
    }),
  )
  expect(missing).toEqual([])
})

const SHARED = 'src/ui/primitives.css'
const composed = sheets.flatMap(([path, sheet]) =>
  [...sheet.matchAll(/composes:([^;]*) from global/g)].map(([, names = '']) => ({ path, names })),
)
const named = [...files].flatMap(([path, text]) =>
  [...text.matchAll(/className="([^"]*)"/g)].map(([, names = '']) => ({ path, names })),
)

test('every shared class that is named or composed exists', () => {
  const classes = classesOf(files.get(SHARED) ?? '')
  expect(classes.length).toBeGreaterThan(20)
  const unknown = [...composed, ...named].flatMap(({ path, names }) =>
    names
      .trim()
      .split(/\s+/)
      .filter((name) => !classes.includes(name))
      .map((name) => `${path}: ${name}`),
  )
  expect(unknown).toEqual([])
})

test('every shared class is used in two files or more', () => {
  const places = (name: string) =>
    new Set(
      [...composed, ...named]
        .filter(({ names }) => names.trim().split(/\s+/).includes(name))
        .map(({ path }) => path),
    )
  expect(classesOf(files.get(SHARED) ?? '').filter((name) => places(name).size < 2)).toEqual([])
})

test('the shared classes are loaded before the styles of components, which override them', () => {
  expect(files.get('src/mount.tsx')?.trimStart()).toMatch(/^import '\.\/ui\/primitives\.css'\n/)
})
