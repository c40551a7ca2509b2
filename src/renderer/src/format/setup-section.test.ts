import { expect, it } from 'vitest'
import { failureRemedy } from '../../../core/agents/service-failure.ts'
import { FIELD_GROUPS } from '../features/workspace-settings/fields.ts'
import { setupSectionOf } from './setup-section.ts'

it.each([
  [failureRemedy('network'), 'Sandbox'],
  [failureRemedy('machine', { words: 'EROFS: read-only file system, open "/srv/cache"' }), 'Sandbox'],
  ['Add "edit" to `allow` under [agent] in pulseward.toml.', 'Permissions'],
  ['Make the gate green, or correct [gates] in pulseward.toml.', 'Gates'],
  ['Check [judge] in pulseward.toml.', 'Judge'],
  ['Run codex once by hand, or correct [agent] in pulseward.toml.', 'Agent'],
  ['Wait until the limit resets.', null],
  ['Free some disk space on this machine.', null],
])('%s: %s', (remedy, section) => {
  expect(setupSectionOf(remedy)).toBe(section)
  if (section !== null) expect(FIELD_GROUPS.map(({ title }) => title)).toContain(section)
})
