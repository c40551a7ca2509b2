/*
 * Generates the tables of docs/configuration.md from the settings, those of docs/security.md from the list of promises and from the senders
 * that each procedure accepts, docs/schemas from the schemas of attestations, and the end of the example in docs/prompt.md from the prompt:
 * `npm run docs`. Tests compare them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withReportSection } from './prompt-example.ts'
import { publishedSchemas } from './published-schemas.ts'
import { withRequests } from './request-table.ts'
import { withPromises } from './security-promises.ts'
import { withSettingTables } from './setting-tables.ts'

const path = join(import.meta.dirname, '../docs/configuration.md')
writeFileSync(path, withSettingTables(readFileSync(path, 'utf8')))

const security = join(import.meta.dirname, '../docs/security.md')
const results = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/security-results.json'), 'utf8'))
writeFileSync(security, withRequests(withPromises(readFileSync(security, 'utf8'), results)))

for (const [name, text] of Object.entries(publishedSchemas()))
  writeFileSync(join(import.meta.dirname, '../docs/schemas', name), text)

const prompt = join(import.meta.dirname, '../docs/prompt.md')
writeFileSync(prompt, withReportSection(readFileSync(prompt, 'utf8')))
