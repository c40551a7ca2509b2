import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { CONTENT_SECURITY_POLICY } from '../../src/api/content-security-policy.ts'

// The real page on fixtures instead of a host, for screenshots and the accessibility tests. `npx vite build -c
// e2e/renderer-gallery/vite.config.ts && npx vite preview -c e2e/renderer-gallery/vite.config.ts`, then
// http://127.0.0.1:4180/?scenario=usual&theme=dark. Built rather than served as modules, so that the real policy applies.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: resolve(import.meta.dirname, '../../out/gallery'),
    emptyOutDir: true,
    target: 'chrome130',
    // As in electron.vite.config.ts: what the first screen needs is one file, whose styles come before those loaded later.
    rollupOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  preview: {
    host: '127.0.0.1',
    port: 4180,
    strictPort: true,
    headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY },
  },
})
