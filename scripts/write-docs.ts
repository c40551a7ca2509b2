/*
 * Writes the tables of docs/configuration.md from the settings themselves: `npm run docs`. A test compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withSettingTables } from '../src/core/configuration/document.ts'

const path = join(import.meta.dirname, '../docs/configuration.md')
writeFileSync(path, withSettingTables(readFileSync(path, 'utf8')))
