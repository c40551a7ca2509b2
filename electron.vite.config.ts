import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { build, type Plugin } from 'vite'

/**
 * Writes down which npm packages a part holds, as `packages.json` beside it: folder, name, version. The bill of
 * materials and the licences that go with a package are made from it.
 */
const listPackages: Plugin = {
  name: 'list-packages',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
    const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
    const packages = [...new Set(folders)].sort().map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return { folder: relative(import.meta.dirname, folder), name, version }
    })
    this.emitFile({ type: 'asset', fileName: 'packages.json', source: JSON.stringify(packages, null, 1) })
  },
}

/**
 * The program is CommonJS, which Node.js loads a fifth sooner than as many ES modules; the package around it says that `.js` are
 * modules.
 */
const commonJs: Plugin = {
  name: 'common-js',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
  },
}

/**
 * Names that others know: agents are told of report-server.js. Without comments, and in ASCII, which V8 keeps in half the memory: both
 * are read at each start.
 */
const COMMON_JS = {
  format: 'cjs',
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
  // What is kept compiled has nobody to import for it (`compiled-code.ts`).
  dynamicImportInCjs: false,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
} as const

/** SQLite's WebAssembly, where its script looks for it: beside the chunk that holds it. */
const sqliteFile: Plugin = {
  name: 'sqlite-file',
  generateBundle() {
    const file = 'node-sqlite3-wasm.wasm'
    const source = readFileSync(join(import.meta.dirname, 'node_modules/node-sqlite3-wasm/dist', file))
    this.emitFile({ type: 'asset', fileName: `chunks/${file}`, source })
  },
}

/**
 * `status` as one file of its own beside the program. A chunk that is shared with the program brings all that the
 * program needs of it; here a vocabulary is its words only. It may hold no npm package: each would have to be
 * loaded before the answer.
 */
const statusAtOnce: Plugin = {
  name: 'status-at-once',
  async writeBundle({ dir }) {
    await buildAlone(dir, { 'status-at-once': 'src/cli/status-at-once.ts' })
  },
}

/** What agents' programs call at the end of each turn: a file of its own as well. */
const thinHook: Plugin = {
  name: 'thin-hook',
  async writeBundle({ dir }) {
    await buildAlone(dir, { hook: 'src/cli/thin-hook.ts' })
  },
}

async function buildAlone(dir: string | undefined, input: Readonly<Record<string, string>>): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [noPackages],
    build: {
      ssr: true,
      target: 'node20.18',
      outDir: dir,
      emptyOutDir: false,
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(
          Object.entries(input).map(([name, path]) => [name, resolve(import.meta.dirname, path)]),
        ),
        treeshake: {
          manualPureFunctions: ['z'],
          moduleSideEffects: (id: string) => id.includes('thin-hook'),
        },
        output: COMMON_JS,
      },
    },
    ssr: { noExternal: true },
  })
}

const noPackages: Plugin = {
  name: 'no-packages',
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle)) {
      const found =
        part.type === 'chunk' &&
        Object.entries(part.modules).find(
          ([id, { renderedLength }]) => renderedLength > 0 && id.includes('node_modules'),
        )
      if (found) this.error(`${found[0]} is in ${part.fileName}, which may hold no package.`)
    }
  },
}

// Everything is bundled, so that the packaged app and the checkout run the same files without node_modules.
// The targets are Electron 33's, the oldest runtime the app is tested in (docs/decisions/0001-runtimes.md).
export default defineConfig({
  main: {
    plugins: [listPackages, commonJs, sqliteFile, statusAtOnce, thinHook],
    build: {
      externalizeDeps: false,
      target: 'node20.18',
      rollupOptions: {
        input: {
          index: resolve(import.meta.dirname, 'src/main/index.ts'),
          cli: resolve(import.meta.dirname, 'src/cli/index.ts'),
          'verify-record': resolve(import.meta.dirname, 'src/main/ledger/verify-record.ts'),
          worker: resolve(import.meta.dirname, 'src/main/worker.ts'),
          'report-server': resolve(import.meta.dirname, 'src/main/mcp/report-server.ts'),
        },
        output: COMMON_JS,
      },
    },
  },
  preload: {
    plugins: [listPackages],
    build: {
      externalizeDeps: false,
      target: 'node20.18',
      rollupOptions: {
        input: { index: resolve(import.meta.dirname, 'src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(import.meta.dirname, 'src/renderer'),
    plugins: [react(), listPackages],
    build: {
      target: 'chrome130',
      minify: true,
      rollupOptions: {
        input: resolve(import.meta.dirname, 'src/renderer/index.html'),
        // The vocabularies keep their schema beside their words: the page, which needs the words, leaves zod behind.
        treeshake: { manualPureFunctions: ['z'] },
        // What the first screen needs is one file, not ninety: each is asked for by itself, and the app's window waits for all of them.
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
  },
})
