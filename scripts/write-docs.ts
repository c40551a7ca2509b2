/*
 * Writes the tables of docs/configuration.md from the settings themselves, that of docs/security.md from the list of promises, and the end
 * of the example in docs/prompt.md from the prompt:
 * `npm run docs`. Tests compare them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withSettingTables } from '../src/core/configuration/document.ts'
import { withReportSection } from './prompt-example.ts'
import { withPromises } from './security-promises.ts'

const path = join(import.meta.dirname, '../docs/configuration.md')
writeFileSync(path, withSettingTables(readFileSync(path, 'utf8')))

const security = join(import.meta.dirname, '../docs/security.md')
const results = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/security-results.json'), 'utf8'))
writeFileSync(security, withPromises(readFileSync(security, 'utf8'), results))

const prompt = join(import.meta.dirname, '../docs/prompt.md')
writeFileSync(prompt, withReportSection(readFileSync(prompt, 'utf8')))
