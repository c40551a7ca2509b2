import { join } from 'node:path'
import { build } from 'vite'

/*
 * Builds the GitHub Action into one file, so that a runner installs nothing. A release puts it under a tag
 * (docs/releasing.md).
 */
const root = join(import.meta.dirname, '..')
await build({
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: join(root, 'src/action/index.ts'),
    target: 'node24',
    outDir: process.argv[2] ?? join(root, 'out/action'),
    emptyOutDir: true,
    minify: false,
    rollupOptions: { output: { format: 'cjs', entryFileNames: 'index.js', codeSplitting: false } },
  },
  ssr: { noExternal: true },
})
