/*
 * `npm run bundle`: what the page's JavaScript weighs, gzipped, against its budget. The first screen is what index.html loads, with
 * everything that imports without being asked; the rest comes when a screen is opened.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ensureBuilt } from './ensure-built.mjs'

/** Kibibytes. A first screen in a second on a slow machine; the editor and the charts are most of the rest. */
const BUDGET = { first: 200, total: 700 }

const root = join(import.meta.dirname, '..')
await ensureBuilt(root)
const renderer = join(root, 'out/renderer')
const assets = join(renderer, 'assets')
const scripts = new Map(
  readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(assets, name), 'utf8')]),
)
const sizes = new Map([...scripts].map(([name, text]) => [name, gzipSync(text, { level: 9 }).length / 1024]))

/** Names of the scripts that a text imports at once: `from"./x.js"` and `import"./x.js"`, not `import("./x.js")`. */
function staticImports(text) {
  return [...text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)].map(([, name]) => name)
}

const page = readFileSync(join(renderer, 'index.html'), 'utf8')
const first = new Set()
const queue = [...page.matchAll(/(?:src|href)="[^"]*?([^"/]+\.js)"/g)].map(([, name]) => basename(name))
for (const name of queue) {
  if (first.has(name) || !scripts.has(name)) continue
  first.add(name)
  queue.push(...staticImports(scripts.get(name)))
}

const sum = (names) => [...names].reduce((kib, name) => kib + sizes.get(name), 0)
// A document of the help screen is read, not run: one comes when it is opened, whatever the others weigh.
const documents = [...scripts.keys()].filter((name) => /^(?:var|const) \w+=[`"']# /.test(scripts.get(name)))
const weights = { first: sum(first), total: sum(scripts.keys()) - sum(documents) }
const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 6)
console.log(
  `Page, gzipped: first screen ${weights.first.toFixed(1)} of ${BUDGET.first} KiB, all ${weights.total.toFixed(1)} of ${BUDGET.total} KiB, ${documents.length} documents ${sum(documents).toFixed(1)} KiB. Largest: ${largest.map(([name, kib]) => `${name} ${kib.toFixed(1)}${first.has(name) ? ' (first)' : ''}`).join(', ')}.`,
)
const over = Object.keys(BUDGET).filter((part) => weights[part] > BUDGET[part])
if (first.size === 0) {
  console.error(
    'No script of the first screen was found in out/renderer/index.html: look at scripts/check-bundle.mjs.',
  )
  process.exitCode = 1
}
if (over.length > 0) {
  console.error(
    `Over budget: ${over.join(', ')}. Load what the first screen does not need when it is shown (src/renderer/src/ui/lazy-named.ts), or say in scripts/check-bundle.mjs why the budget has to grow.`,
  )
  process.exitCode = 1
}
