/*
 * `npm run bundle`: what the page's JavaScript weighs, gzipped, against its budget. The first screen is what index.html loads, with
 * everything that imports without being asked; the rest comes when a screen is opened. And that the desktop app puts up its window
 * without a package of npm's: what loads one comes later, by `import()`.
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

/** How a script of the page names what it imports at once: `from"./x.js"` and `import"./x.js"`, not `import("./x.js")`. */
const IMPORTED = /(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g
/** How one of the program does, which is CommonJS: at the start of a line; within one it is an `import()`. */
const REQUIRED = /^(?:const \w+ = )?require\("\.\/([^"]+\.js)"\)/gm

/** The scripts of these names among `all`, with all that they import at once, which `named` finds in a text. */
function loadedWith(names, all, named) {
  const loaded = new Set()
  const queue = [...names]
  for (const name of queue) {
    if (loaded.has(name) || !all.has(name)) continue
    loaded.add(name)
    queue.push(...[...all.get(name).matchAll(named)].map(([, found]) => found))
  }
  return loaded
}

const page = readFileSync(join(renderer, 'index.html'), 'utf8')
const first = loadedWith(
  [...page.matchAll(/(?:src|href)="[^"]*?([^"/]+\.js)"/g)].map(([, name]) => basename(name)),
  scripts,
  IMPORTED,
)

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

const chunks = join(root, 'out/main/chunks')
const parts = new Map(
  readdirSync(chunks)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(chunks, name), 'utf8')]),
)
const beforeWindow = loadedWith(
  [...parts.keys()].filter((name) => name.startsWith('desktop-app-')),
  parts,
  REQUIRED,
)
// The bundler names each module's file above its text.
const packages = new Set(
  [...beforeWindow].flatMap((name) =>
    [...parts.get(name).matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(([, found]) => found),
  ),
)
// It is one script of several at the least: with one alone the program is not written as it was when this was.
if (beforeWindow.size < 2 || packages.size > 0) {
  console.error(
    `The desktop app's window would wait for ${[...packages].join(', ') || 'a script that was not found: look at scripts/check-bundle.mjs'}. Load it later (src/main/desktop-app.ts), or keep a schema apart from its words (src/core/vocabulary/standing-schema.ts).`,
  )
  process.exitCode = 1
}
