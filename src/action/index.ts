// Before all others, which make schemas.
import '../main/interpreted-schemas.ts'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { runAction } from './run-action.ts'

/*
 * The entry of the GitHub Action: built to out/action/index.js, one file without packages beside it.
 */
void runAction({
  environment: process.env,
  version: packageJson.version,
  installation: join(import.meta.dirname, '../..'),
  print: (text) => void process.stdout.write(text),
}).then((code) => {
  process.exitCode = code
})
