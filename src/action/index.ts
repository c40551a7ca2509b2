// Must come first: the other imports create schemas.
import '../main/interpreted-schemas.ts'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { runAction } from './run-action.ts'

/*
 * The entry point of the GitHub Action, bundled to out/action/index.js: a single file without node_modules.
 */
void runAction({
  environment: process.env,
  version: packageJson.version,
  installation: join(import.meta.dirname, '../..'),
  print: (text) => void process.stdout.write(text),
}).then((code) => {
  process.exitCode = code
})
